import type { Messages } from '../../../../contract/text/catalogue.ts'
import { sentence } from '../../../../contract/text/sentence.ts'

/** Texts of signing in with a provider. */
export const socialMessages = {
  or: 'or',
  passkey: 'Sign in with a passkey',
  google: 'Google',
  action: (name: string) => sentence`Continue with ${name}`,
  offline: 'You are offline: signing in needs a network.',
  returning: 'Signing you in',
  returningLead: 'Your sign-in was confirmed. One moment.',
  badAddress: (name: string) =>
    sentence`${name} cannot be reached from here. Sign in with your password.`,
  failures: {
    cancelled: 'You cancelled signing in. Nothing was changed.',
    unverified:
      'Google has not confirmed that this email address is yours. Confirm it there, or sign in with a password.',
    foreign: 'This sign-in was not started here. Try again.',
    failed: 'You could not be signed in there. Try again, or use your password.',
    unreachable: 'The server did not answer. Try again in a moment, or use your password.',
  },
} as const satisfies Messages
