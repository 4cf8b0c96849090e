// What a server can do beyond the specification. A server announces it in a header of each answer, or its
// configuration names it for a server that cannot.

/** The response header: a comma-separated list of names, some with a value (`keys=2592000`). */
export const CAPABILITIES_HEADER = 'Cairn-Capabilities'

/** Each capability and what a server with it does. */
export const CAPABILITIES = {
  ids: 'takes the ids that the app makes for new records',
  keys: 'repeats the answer to an Idempotency-Key; the value is how long it remembers one, in seconds',
  batch: 'takes many operations in one request, each under its own key',
  versions: 'has a version on each record, and checks If-Match',
  partial: 'changes only the fields in the body of a PUT',
  effects: 'changes progress, status and health of a plan by an update',
  changes: 'lists what has changed since a version',
  'changes-stream': 'sends all changes since a version in one event stream',
  events: 'announces new versions in an event stream',
  templates: 'stores templates of plans',
  views: 'keeps the saved views of each user',
  renewals: 'stores the outcomes of renewals with an account',
  handover: 'gives the work of a leaving member to another, and keeps the names of former members',
  invites: 'lists, withdraws and accepts invites',
  recovery: 'resets forgotten passwords',
  password: 'changes the password of the signed-in user',
  reauthentication: 'confirms the password before sensitive changes',
  'email-links': 'proves e-mail addresses by links',
  'sign-ins': 'lists and ends the sign-ins of a user, also those of lost devices',
  'linked-sign-ins': 'lists and removes the providers that open an account',
  passkeys: 'signs users in with passkeys (WebAuthn)',
  account: 'gives users their data as a file, and deletes their account',
  revoke: 'ends a session by its revocation secret or refresh token',
  oidc: 'signs users in with an OpenID Connect issuer, where one is configured',
  push: 'sends notifications to browsers',
  'app-version': 'counts devices by the version of their app, which they send in a header',
  vitals: 'counts how fast the app is on devices whose users agreed',
  health: 'answers health checks',
} as const

/** The request header with the version of the app, sent to servers with `app-version`. */
export const APP_VERSION_HEADER = 'Cairn-App'

export type Capability = keyof typeof CAPABILITIES

/** How long our server remembers an Idempotency-Key, in seconds. */
export const KEY_LIFETIME_SECONDS = 30 * 24 * 3_600

const listed = () =>
  Object.keys(CAPABILITIES)
    .map((name) => (name === 'keys' ? `keys=${KEY_LIFETIME_SECONDS}` : name))
    .join(', ')

/** The header of our server, which has all of them. `PURE`: a build of the app has neither it nor the descriptions. */
export const OWN_CAPABILITIES: string = /* @__PURE__ */ listed()
