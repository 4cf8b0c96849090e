const minutes = (many: number) => `${many} ${many === 1 ? 'minute' : 'minutes'}`

/** Everything that signing in says. */
export const sessionMessages = {
  title: 'Sign in',
  lead: 'Plans that stay with you where the network does not.',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  forgotten: 'Forgotten your password?',
  register: 'Create an account',
  emailMissing: 'Enter your e-mail address.',
  passwordMissing: 'Enter your password.',
  refused: 'The e-mail address and the password do not match. Check both and try again.',
  /** `after` is in milliseconds. */
  limited: (after: number | undefined) =>
    after === undefined
      ? 'Too many tries. Wait a few minutes, then try again.'
      : `Too many tries. Try again in ${minutes(Math.max(1, Math.ceil(after / 60_000)))}.`,
  offline: 'You are offline: signing in needs a network. Plans you opened here are safe.',
  unreachable: 'The server did not answer. What you typed is still here; try again in a moment.',
  failed: 'Something went wrong while signing in. Try again.',
} as const
