// Links from emails into the app.

/**
 * Paths of the links in emails. The token is in the fragment, so it never reaches a server or a log.
 */
export const LINKS = {
  invite: { path: '/auth/registration', name: 'invite_token' },
  password: { path: '/auth', name: 'reset_token' },
  email: { path: '/auth', name: 'email_token' },
} as const

/** The URL for an email; `base` is the app's origin without a trailing slash. */
export const mailLink = (base: string, kind: keyof typeof LINKS, token: string): string =>
  `${base}${LINKS[kind].path}#${LINKS[kind].name}=${token}`
