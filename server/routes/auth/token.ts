// The token endpoint (contract, Tokens): the grants, with error responses as in RFC 6749, section 5.2.
import * as v from 'valibot'
import { endpoints } from '../../../contract/endpoints.ts'
import { EmailAddress } from '../../../contract/schemas/fields.ts'
import type { VerifyIdToken } from '../../auth/google.ts'
import { findOrCreateSocialUser } from '../../auth/social-sign-in.ts'
import { verifyPassword } from '../../auth/passwords.ts'
import { toResponse } from '../../http/present.ts'
import { decodeJson, decodeText, mediaType, readBytes } from '../../http/request-body.ts'
import { addressOf, type RouteHandler } from '../../http/route.ts'
import { enforceRateLimit } from '../../http/authenticate.ts'
import type { Services } from '../../http/services.ts'
import { recordAttempt, clearAttempts } from '../../auth/login-throttle.ts'

type TokenErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'

const errorAnswer = (error: TokenErrorCode, message: string) =>
  toResponse({
    status: error === 'invalid_client' ? 401 : 400,
    body: JSON.stringify({ error, error_description: message, message }),
    etag: null,
  })

const Client = v.object({
  grant_type: v.string(),
  client_id: v.string(),
  client_secret: v.string(),
})
const PasswordGrant = v.object({ username: v.string(), password: v.string() })
const SocialGrant = v.object({
  provider: v.literal('google'),
  token: v.string(),
  nonce: v.optional(v.string()),
})
const RefreshGrant = v.object({ refresh_token: v.string() })

/** The parameters, from a form or JSON; undefined when one is repeated or there are none. */
async function readParameters(request: Request): Promise<unknown> {
  const bytes = await readBytes(request)
  if (mediaType(request) !== 'application/x-www-form-urlencoded') return decodeJson(request, bytes)
  const pairs = [...new URLSearchParams(decodeText(bytes))]
  const parameters = Object.fromEntries(pairs)
  return Object.keys(parameters).length === pairs.length ? parameters : undefined
}

/**
 * `POST /oauth/token`, as a form or JSON: tokens. 400 with an error code of RFC 6749 for a failed grant,
 * 401 for an unknown client, 413, 415, 429, 503 when Google is not responding.
 */
export const issueToken: RouteHandler = {
  row: endpoints.issueToken,
  async respond(services, context) {
    const address = addressOf(services, context)
    enforceRateLimit(services, address)
    const parameters = await readParameters(context.req.raw)
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
    if (grant_type === 'password') return signIn(services, parameters, address)
    if (grant_type === 'refresh_token') return refresh(services, parameters)
    if (grant_type === 'social' && services.google)
      return socialSignIn(services, services.google, parameters)
    return errorAnswer('unsupported_grant_type', 'This grant type is not supported.')
  },
}

/** The `password` grant. Throws a 429 HttpError for too many attempts. */
async function signIn(services: Services, parameters: unknown, address: string) {
  const grant = v.safeParse(PasswordGrant, parameters)
  if (!grant.success) return errorAnswer('invalid_request', 'Send username and password.')
  const { database, tokens } = services
  const username = grant.output.username.trim().toLowerCase()
  const user = await database.auth(async (tx) => {
    await recordAttempt(tx, { username, address, now: services.now() })
    return v.is(EmailAddress, username)
      ? tx
          .selectFrom('users')
          .select(['id', 'password_hash'])
          .where('email', '=', username)
          .executeTakeFirst()
      : undefined
  })
  const isCorrect = await verifyPassword(grant.output.password, user?.password_hash ?? undefined)
  if (!user || !isCorrect)
    return errorAnswer('invalid_grant', 'The email address or password is wrong.')
  const issued = await database.auth(async (tx) => {
    await clearAttempts(tx, username)
    return tokens.createFamily(tx, user.id)
  })
  return toResponse({ status: 200, body: JSON.stringify(issued), etag: null })
}

/** The `social` grant: signs in with an ID token of Google (specification, section 4). */
async function socialSignIn(services: Services, verify: VerifyIdToken, parameters: unknown) {
  const grant = v.safeParse(SocialGrant, parameters)
  if (!grant.success) return errorAnswer('invalid_request', 'Send provider google, and its token.')
  const identity = await verify(grant.output.token, grant.output.nonce)
  if (!identity) return errorAnswer('invalid_grant', 'This sign-in is not valid. Please try again.')
  const { database, tokens, now } = services
  const issued = await database.auth(async (tx) => {
    const id = await findOrCreateSocialUser(tx, identity, now().toISOString())
    return id === undefined ? undefined : tokens.createFamily(tx, id)
  })
  if (!issued)
    return errorAnswer(
      'invalid_grant',
      'This address belongs to an account with a password. Sign in with the password, or reset it by email first.',
    )
  return toResponse({ status: 200, body: JSON.stringify(issued), etag: null })
}

/** The `refresh_token` grant. */
async function refresh(services: Services, parameters: unknown) {
  const grant = v.safeParse(RefreshGrant, parameters)
  if (!grant.success) return errorAnswer('invalid_request', 'Send refresh_token.')
  const issued = await services.tokens.refresh(grant.output.refresh_token)
  if (!issued) return errorAnswer('invalid_grant', 'The session has ended. Please sign in again.')
  return toResponse({ status: 200, body: JSON.stringify(issued), etag: null })
}
