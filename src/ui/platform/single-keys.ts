// Whether single keys are shortcuts: speech input presses them by accident (WCAG 2.2, 2.1.4). Each user
// decides on each device, and the choice outlasts a sign-out.

export const STORE_PREFIX = 'single_keys:'
export const OFF = 'off'
/** Earlier builds had one shortcut of this kind and one choice for the device. */
const EARLIER_STORE = 'help_key'

/** Whether single keys are shortcuts for the user. */
export function hasSingleKeys(user_id: string): boolean {
  const stored = localStorage.getItem(STORE_PREFIX + user_id) ?? localStorage.getItem(EARLIER_STORE)
  return stored !== OFF
}
