import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of the sign-in screen. */
export const sessionMessages = {
  confirmEmail: 'Sign in to confirm your email address.',
  title: 'Sign in',
  lead: 'Your plans stay with you, online or offline.',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  forgotten: 'Forgotten your password?',
  register: 'Create an account',
  emailMissing: 'Enter your email address.',
  passwordMissing: 'Enter your password.',
  refused: 'The email address and the password do not match. Check both and try again.',
  /** `after` is the time until the next attempt is allowed, in milliseconds. */
  limited: (after: number | undefined) => {
    if (after === undefined) return 'Too many attempts. Try again later.'
    const minutes = Math.max(1, Math.ceil(after / 60_000))
    return `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
  },
  offline: 'You are offline: signing in needs a network. Plans you opened here are safe.',
  unreachable: 'The server did not answer. What you typed is still here; try again in a moment.',
  'not-understood': 'The server does not answer as agreed. Tell its operator.',
  failed: 'Something went wrong. Try again.',
  blocked:
    'This browser blocks site data for this address, which Cairn needs to keep you signed in. Allow cookies and site data here, then reload the page.',
} as const satisfies Messages
