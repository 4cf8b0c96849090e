import type { Messages } from '../../../../contract/text/catalogue.ts'
import { sentence } from '../../../../contract/text/sentence.ts'

/** Texts of the passkeys of a user. */
export const passkeyMessages = {
  title: 'Passkeys',
  text: 'Sign in by fingerprint, face or the PIN of a device, without a password.',
  add: 'Add a passkey',
  addText: 'Your browser asks where to save it. It then signs you in on this address only.',
  added: 'The passkey is added',
  on: (name: string) => sentence`Passkey of ${name}`,
  addedAt: (moment: string) => `Added ${moment}`,
  lastUsed: (ago: string) => `Last used ${ago}`,
  remove: 'Remove',
  removeOn: (name: string) => sentence`Remove the passkey of ${name}`,
  removeText: 'It no longer signs you in. Delete it on the device too.',
  removed: 'The passkey is removed',
} as const satisfies Messages
