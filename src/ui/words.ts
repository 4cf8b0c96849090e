/** The few words that the kit itself says. A second language replaces this table. */
export const words = {
  close: 'Close',
  dismiss: 'Dismiss',
  notifications: 'Notifications',
  optional: 'optional',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  percent: (value: number) => `${value}%`,
  progressOf: (value: number, expected: number) => `${value}%, ${expected}% of the time gone`,
} as const
