// The links that lead into the app from a mail.

/**
 * Where the links of mails lead. The token stands behind the `#`, which is told to no server, no log
 * and no analytics.
 */
export const LINKS = {
  invite: { path: '/auth/registration', name: 'invite_token' },
  password: { path: '/auth', name: 'reset_token' },
} as const

/** The link of a mail; `base` is where the app is, without a slash at its end. */
export const mailLink = (base: string, kind: keyof typeof LINKS, token: string): string =>
  `${base}${LINKS[kind].path}#${LINKS[kind].name}=${token}`
