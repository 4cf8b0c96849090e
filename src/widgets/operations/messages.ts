import type { Messages } from '../../../contract/text/catalogue.ts'

/** Labels of operation states, the same on every screen. */
export const stateMessages = {
  saving: 'Saving',
  saved: 'Saved on this device',
  sending: 'Sending',
  sent: 'Sent',
  attention: 'Needs attention',
  'signed-out': 'Waiting for sign-in',
} as const satisfies Messages

export type OperationState = keyof typeof stateMessages
