import type { Messages } from '../../contract/text/catalogue.ts'

/** Texts of the UI components themselves. */
export const uiMessages = {
  close: 'Close',
  dismiss: 'Dismiss',
  notifications: 'Notifications',
  optional: 'optional',
  opensNew: '(opens in a new tab)',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
} as const satisfies Messages
