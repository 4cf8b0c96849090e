import type { Messages } from '../../../../contract/text/catalogue.ts'

/** Texts of signing in with Google. */
export const googleMessages = {
  or: 'or',
  action: 'Continue with Google',
  offline: 'You are offline: signing in needs a network.',
  returning: 'Signing you in',
  returningLead: 'Google has confirmed your sign-in. One moment.',
  badAddress: 'Google cannot be reached from here. Sign in with your password.',
  failures: {
    cancelled: 'You cancelled signing in with Google. Nothing was changed.',
    unverified:
      'Google has not confirmed that this email address is yours. Confirm it there, or sign in with a password.',
    foreign: 'This sign-in was not started here. Try again.',
    failed: 'Google could not sign you in. Try again, or use your password.',
    unreachable: 'The server did not answer. Try again in a moment.',
  },
} as const satisfies Messages
