// The token endpoint: the grants, with error responses as in RFC 6749, section 5.2.
import type { Context } from 'hono'
import * as v from 'valibot'
import { DEVICE_LOST } from '../../../contract/values.ts'
import type { Tokens } from '../../../contract/schemas/people.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { EmailAddress } from '../../../contract/schemas/fields.ts'
import { PasskeyAssertion } from '../../../contract/schemas/passkeys.ts'
import type { Identity, VerifyIdToken } from '../../auth/google.ts'
import type { OidcProvider } from '../../auth/oidc.ts'
import type { Database } from '../../database/database.ts'
import { CHALLENGE_TTL_MS } from '../../auth/passkeys.ts'
import { findOrCreateSocialUser, useIdToken } from '../../auth/social-sign-in.ts'
import { verifyPassword } from '../../auth/passwords/passwords.ts'
import { lockUser, userTurn } from '../../auth/ways-in.ts'
import { toResponse } from '../../http/present.ts'
import { decodeJson, decodeText, mediaType, readBytes } from '../../http/request-body.ts'
import type { RouteHandler } from '../../http/route.ts'
import { limitNetwork, limitUnknown, networkFrom, originFrom } from '../../http/authenticate.ts'
import type { Services } from '../../http/services.ts'
import {
  attemptTurn,
  clearAttempts,
  failAttempt,
  linkDevice,
  recordAttempt,
  requireNetwork,
  withdrawAttempt,
} from '../../auth/login-throttle.ts'
import { REGISTRATION_CLOSED } from './register.ts'

type TokenErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'

const errorAnswer = (error: TokenErrorCode, message: string, code?: string) =>
  toResponse({
    status: error === 'invalid_client' ? 401 : 400,
    body: JSON.stringify({ error, error_description: message, message, ...(code && { code }) }),
    etag: null,
  })

const Client = v.object({
  grant_type: v.string(),
  client_id: v.string(),
  client_secret: v.string(),
})
const PasswordGrant = v.object({
  username: v.string(),
  password: v.string(),
  device_token: v.optional(v.string()),
})
const Nonce = v.pipe(v.string(), v.minLength(1))
const GoogleGrant = v.object({ provider: v.literal('google'), token: v.string(), nonce: Nonce })
const OidcGrant = v.object({
  provider: v.literal('oidc'),
  code: v.pipe(v.string(), v.minLength(1), v.maxLength(4_096)),
  code_verifier: v.pipe(v.string(), v.regex(/^[\w.~-]{43,128}$/)),
  nonce: Nonce,
  iss: v.optional(v.string()),
})
const Provider = v.object({ provider: v.literal('oidc') })
const PasskeyGrant = v.object({ credential: PasskeyAssertion })
const RefreshGrant = v.object({ refresh_token: v.string() })

/** A passkey's answer is the largest of them. */
const MAX_GRANT_BYTES = 64 * 1024

/** The parameters, from a form or JSON; undefined when one is repeated or there are none. */
async function readParameters(context: Context): Promise<unknown> {
  const request = context.req.raw
  const bytes = await readBytes(context, MAX_GRANT_BYTES)
  if (mediaType(request) !== 'application/x-www-form-urlencoded') return decodeJson(request, bytes)
  const pairs = [...new URLSearchParams(decodeText(bytes))]
  const parameters = Object.fromEntries(pairs)
  return Object.keys(parameters).length === pairs.length ? parameters : undefined
}

const UNKNOWN_PASSKEY =
  'This passkey does not open an account here. Sign in another way, and add it in your profile.'

/** The database, which stores sessions also on a nearly full disk. */
const forSessions = (database: Database): Database => ({
  ...database,
  auth: (work) => database.auth(work, 'sessions'),
  authInTurn: (turn, work) => database.authInTurn(turn, work, 'sessions'),
})

/** The caller of a grant. */
interface Caller {
  services: Services
  context: Context
  network: string
  parameters: unknown
}

/**
 * `POST /oauth/token`, as a form or JSON: tokens. 400 with an error code of RFC 6749 for a failed grant,
 * 401 for an unknown client, 413, 415, 429, 503 when the provider is not responding or too many passwords are waiting.
 */
export const issueToken: RouteHandler = {
  row: endpoints.issueToken,
  async respond(services, context) {
    const network = networkFrom(services, context)
    limitNetwork(services, network)
    const parameters = await readParameters(context)
    const client = v.safeParse(Client, parameters)
    if (!client.success)
      return errorAnswer(
        'invalid_request',
        'Send grant_type, client_id and client_secret, each once.',
      )
    const { config } = services
    const { client_id, client_secret, grant_type } = client.output
    if (client_id !== config.clientId || client_secret !== config.clientSecret)
      return errorAnswer('invalid_client', 'Unknown client.')
    const database = forSessions(services.database)
    const caller = { services: { ...services, database }, context, network, parameters }
    if (grant_type === 'password') return signIn(caller)
    if (grant_type === 'refresh_token') return refresh(caller)
    if (grant_type === 'passkey') return passkeySignIn(caller)
    const { google, oidc } = services
    if (grant_type === 'social' && oidc && v.is(Provider, parameters))
      return oidcSignIn(caller, oidc)
    if (grant_type === 'social' && google) return googleSignIn(caller, google)
    return errorAnswer('unsupported_grant_type', 'This grant type is not supported.')
  },
}

/** Tokens as an answer. This process knows them from now on. */
function answerTokens({ services: { knownTokens } }: Caller, issued: Tokens) {
  knownTokens.add(issued.access_token)
  knownTokens.add(issued.refresh_token)
  return toResponse({ status: 200, body: JSON.stringify(issued), etag: null })
}

/** The `password` grant. Throws an HttpError: 429 for too many attempts, 503 when too many are waiting. */
async function signIn(caller: Caller) {
  const { services, context, network, parameters } = caller
  const grant = v.safeParse(PasswordGrant, parameters)
  if (!grant.success) return errorAnswer('invalid_request', 'Send username and password.')
  const { database, tokens, deviceTokens } = services
  const username = grant.output.username.trim().toLowerCase()
  const turn = attemptTurn(username, network)
  const { user, attempt, id } = await database.authInTurn(turn, async (tx) => {
    const user = v.is(EmailAddress, username)
      ? await tx
          .selectFrom('users')
          .select(['id', 'password_hash'])
          .where('email', '=', username)
          .executeTakeFirst()
      : undefined
    const now = services.now()
    const device =
      deviceTokens.find(user, grant.output.device_token) ??
      (await linkDevice(tx, user?.id, network, now))
    const attempt = { username, network, device, now }
    return { user, attempt, id: await recordAttempt(tx, attempt) }
  })
  let isCorrect: boolean
  try {
    isCorrect = await verifyPassword(
      grant.output.password,
      user?.password_hash ?? undefined,
      { purpose: 'sign-in', network },
      () => database.auth((tx) => requireNetwork(tx, attempt)),
    )
  } catch (error) {
    await database.auth((tx) => withdrawAttempt(tx, id))
    throw error
  }
  const issued =
    user &&
    isCorrect &&
    (await database.authInTurn(userTurn(user.id, network), async (tx) => {
      // The password may have been replaced while this one waited for its turn.
      const current = await lockUser(tx, user.id)
      if (current?.password_hash !== user.password_hash) return undefined
      await clearAttempts(tx, username, attempt)
      return tokens.createFamily(tx, user.id, originFrom(services, context))
    }))
  if (!issued) {
    await database.auth((tx) => failAttempt(tx, id))
    return errorAnswer('invalid_grant', 'The email address or password is wrong.')
  }
  return answerTokens(caller, { ...issued, device_token: deviceTokens.issue(user) })
}

/** The `social` grant: signs in with an ID token of Google (specification, section 4). */
async function googleSignIn(caller: Caller, verify: VerifyIdToken) {
  const grant = v.safeParse(GoogleGrant, caller.parameters)
  if (!grant.success)
    return errorAnswer('invalid_request', 'Send provider google, its token, and the nonce in it.')
  const { token, nonce } = grant.output
  const identity = await verify(token, nonce)
  return identity ? socialSignIn(caller, identity, token) : invalidSignIn()
}

/** The `social` grant with the code of an OpenID Connect issuer. */
async function oidcSignIn(caller: Caller, provider: OidcProvider) {
  const grant = v.safeParse(OidcGrant, caller.parameters)
  if (!grant.success)
    return errorAnswer(
      'invalid_request',
      'Send provider oidc, its code, and the code_verifier and nonce of the request.',
    )
  const identity = await provider.identify(grant.output)
  if (identity === undefined) return invalidSignIn()
  if (identity === 'unverified')
    return errorAnswer('invalid_grant', 'This email address is not confirmed there.')
  if (identity === 'foreign')
    return errorAnswer('invalid_grant', 'Addresses of this domain cannot sign in here.')
  return socialSignIn(caller, identity, `${provider.issuer} ${grant.output.code}`)
}

const invalidSignIn = () =>
  errorAnswer('invalid_grant', 'This sign-in is not valid. Please try again.')

/** Signs in who a provider has identified. `proof` is good for one sign-in. */
async function socialSignIn(caller: Caller, identity: Identity, proof: string) {
  const { services, context } = caller
  const { database, tokens, now, config } = services
  const issued = await database.auth(async (tx) => {
    if (!(await useIdToken(tx, proof, identity.expires_at))) return 'used'
    const found = await findOrCreateSocialUser(tx, identity, now(), config.registration)
    if (found === 'taken' || found === 'closed') return found
    return tokens.createFamily(tx, found.user_id, originFrom(services, context))
  })
  if (issued === 'used') return invalidSignIn()
  if (issued === 'closed') return errorAnswer('invalid_grant', REGISTRATION_CLOSED)
  if (issued === 'taken')
    return errorAnswer(
      'invalid_grant',
      'This address belongs to an account with a password. Sign in with the password, or reset it by email first.',
    )
  return answerTokens(caller, issued)
}

/** The `passkey` grant: the answer of an authenticator to a challenge of `startPasskeySignIn`. */
async function passkeySignIn(caller: Caller) {
  const { services, context, network, parameters } = caller
  const grant = v.safeParse(PasskeyGrant, parameters)
  if (!grant.success) return errorAnswer('invalid_request', 'Send the credential, as JSON.')
  const { credential } = grant.output
  const { database, passkeys, tokens, deviceTokens } = services
  const stored = await database.auth((tx) =>
    tx
      .selectFrom('passkeys')
      .selectAll()
      .where('credential_id', '=', credential.id)
      .executeTakeFirst(),
  )
  const challenge = passkeys.challengeIn(credential)
  const counter = stored && (await passkeys.authenticate(stored, credential))
  if (stored === undefined || challenge === undefined || counter === undefined)
    return errorAnswer('invalid_grant', UNKNOWN_PASSKEY)
  const now = services.now()
  const issued = await database.authInTurn(userTurn(stored.user_id, network), async (tx) => {
    const user = await lockUser(tx, stored.user_id)
    const expires_at = new Date(now.getTime() + CHALLENGE_TTL_MS).toISOString()
    if (!(await useIdToken(tx, `passkey ${challenge}`, expires_at))) return undefined
    const used = await tx
      .updateTable('passkeys')
      .set({ counter, last_used_at: now.toISOString() })
      .where('id', '=', stored.id)
      .returning('id')
      .executeTakeFirst()
    if (!user || !used) return undefined
    const issuedTokens = await tokens.createFamily(tx, user.id, originFrom(services, context))
    return { ...issuedTokens, device_token: deviceTokens.issue(user) }
  })
  if (!issued) return errorAnswer('invalid_grant', UNKNOWN_PASSKEY)
  return answerTokens(caller, issued)
}

/** The `refresh_token` grant. Throws a 429 HttpError for too many unknown tokens from one network. */
async function refresh(caller: Caller) {
  const { services, context, parameters } = caller
  const grant = v.safeParse(RefreshGrant, parameters)
  if (!grant.success) return errorAnswer('invalid_request', 'Send refresh_token.')
  const { refresh_token } = grant.output
  const issued = await limitUnknown(services, context, refresh_token, () =>
    services.tokens.refresh(refresh_token),
  )
  const isLost = issued === 'lost'
  if (!issued || isLost)
    return errorAnswer(
      'invalid_grant',
      'The session has ended. Please sign in again.',
      isLost ? DEVICE_LOST : undefined,
    )
  return answerTokens(caller, issued)
}
