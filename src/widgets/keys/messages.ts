import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of the setting for shortcuts of one key. */
export const singleKeyMessages = {
  label: 'Shortcuts of one key',
  hint: 'Such as C for a new plan and G A for the accounts. Turn them off if you press keys by accident or control the device by voice. Applies to you, on this device.',
  title: 'Keyboard',
} as const satisfies Messages
