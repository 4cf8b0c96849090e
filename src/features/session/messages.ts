import type { Messages } from '../../../contract/catalogue.ts'
import { formatCount } from '../../ui/text/format.ts'

/** Everything that signing in says. */
export const sessionMessages = {
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
  /** `after` is in milliseconds. */
  limited: (after: number | undefined) =>
    after === undefined
      ? 'Too many attempts. Wait a few minutes, then try again.'
      : `Too many attempts. Try again in ${formatCount(Math.max(1, Math.ceil(after / 60_000)), 'minute')}.`,
  offline: 'You are offline: signing in needs a network. Plans you opened here are safe.',
  unreachable: 'The server did not answer. What you typed is still here; try again in a moment.',
  failed: 'Something went wrong while signing in. Try again.',
} as const satisfies Messages
