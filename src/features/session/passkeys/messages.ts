import type { Messages } from '../../../../contract/text/catalogue.ts'

/** Why a passkey was not made or not used. */
export const passkeyFailures = {
  cancelled: 'Nothing was changed: you cancelled, or it took too long.',
  known: 'There is a passkey for this account on that device already.',
  wrongAddress: 'Passkeys do not work on this address of the app.',
  failed: 'The passkey could not be used. Try again, or sign in another way.',
} as const satisfies Messages
