const count = (many: number, one: string) => `${many} ${many === 1 ? one : `${one}s`}`

/** Everything that signing in says. */
export const sessionWords = {
  title: 'Sign in',
  lead: 'Plans that stay with you where the network does not.',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  emailMissing: 'Enter your e-mail address.',
  passwordMissing: 'Enter your password.',
  refused: 'The e-mail address and the password do not match. Check both and try again.',
  limited: (seconds: number | undefined) =>
    seconds === undefined
      ? 'Too many tries. Wait a few minutes, then try again.'
      : `Too many tries. Try again in ${count(Math.max(1, Math.ceil(seconds / 60)), 'minute')}.`,
  offline: 'You are offline: signing in needs a network. Plans you opened here are safe.',
  unreachable: 'The server did not answer. What you typed is still here; try again in a moment.',
  forcedTitle: 'You were signed out',
  forced: 'Your sign-in was no longer valid. Sign in again to go on where you were.',
  waits: (waiting: number) =>
    `${count(waiting, 'update')} ${waiting === 1 ? 'waits' : 'wait'} on this device for you`,
  failed: 'Something went wrong while signing in. Try again.',
} as const
