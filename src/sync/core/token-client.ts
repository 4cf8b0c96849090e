// The token endpoint: exchanges a password or a provider's token for a session, and a refresh token for
// new tokens.
import { DEVICE_LOST } from '../../../contract/values.ts'
import type { Exchange } from './connection.ts'
import type { Http } from './api/http.ts'
import { parseJson, type Outcome } from './api/outcome.ts'
import type { ApiCall, NetworkResponse, Ports } from './ports.ts'
import type { SessionManager } from './session.ts'
import type { Session } from './session-store.ts'

const TOKEN_TIMEOUT_MS = 20_000

/** The calls of the token endpoint. */
export interface TokenCalls {
  call: ApiCall
  /** The OAuth client's parameters: client_id and, where there is one, client_secret. */
  client: () => Promise<Record<string, string>>
  userinfo: ApiCall
  /** Ends the session of a refresh token, where the server can. */
  revoke?: ApiCall
  /** Stores what proves at the next sign-in that this device was signed in before. */
  rememberDevice?: (device_token: string) => void
  /** What shows at a sign-in that this device was signed in before; empty without. */
  deviceTokens?: () => string
}

/** The answer of a provider to the request with this `nonce`: an identity token, or a code and its verifier. */
export type SocialProof = { provider: string; nonce: string } & (
  | { token: string }
  | { code: string; code_verifier: string; iss?: string }
)

/** A password, the answer of a provider, or that of an authenticator. */
export type Credentials =
  | { grant_type: 'password'; username: string; password: string }
  | ({ grant_type: 'social' } & SocialProof)
  | { grant_type: 'passkey'; credential: object }

/**
 * `limited`: too many attempts. `not-understood`: the server answered, and not as agreed. `message` is the
 * server's, empty when unreachable.
 */
export type SignInResult =
  | { ok: true }
  | {
      ok: false
      reason: 'refused' | 'limited' | 'unreachable' | 'not-understood'
      message: string
      retryAfterMs?: number
    }

/**
 * The result of a token request. Only `refused` signs the user out. `not-understood`: the server answers,
 * and not as agreed. `doubtful`: a refusal in another form, which counts when a later one agrees.
 */
export type RefreshResult =
  | {
      result: 'refreshed'
      access_token: string
      refresh_token: string
      revocation_secret?: string | undefined
    }
  /** `isLost`: the user has reported this device as lost. */
  | { result: 'refused'; isLost?: boolean }
  | { result: 'doubtful' | 'not-understood' | 'unreachable' }

interface TokenPair {
  access_token: string
  refresh_token: string
  device_token?: string
  revocation_secret?: string | undefined
}

/**
 * Exchanges credentials for a session. Nothing is stored unless both tokens and the user arrived
 * (specification, section 4). Rejects when storage fails.
 */
export async function signIn(
  http: Http,
  session: SessionManager,
  token: TokenCalls,
  credentials: Credentials,
): Promise<SignInResult> {
  const known = token.deviceTokens?.()
  const outcome = await http.call(token.call, {
    body: {
      ...credentials,
      ...(await token.client()),
      ...(known && { device_token: known }),
      scope: '',
    },
  })
  if (outcome.kind === 'refused') {
    const { error, oauth_error, isJson } = outcome
    // A page is not an answer of the token endpoint.
    const isAboutCredentials =
      isJson && CREDENTIAL_STATUSES.has(error.status) && !CONFIGURATION_ERRORS.has(oauth_error)
    const reason = isAboutCredentials ? 'refused' : 'not-understood'
    return { ok: false, reason, message: error.message }
  }
  if (outcome.kind !== 'answered') return failureOf(outcome)
  const issued = outcome.value as TokenPair
  const user = await openSession(http, session, token.userinfo, issued)
  if (user.kind !== 'answered') return failureOf(user)
  if (issued.device_token !== undefined) token.rememberDevice?.(issued.device_token)
  return { ok: true }
}

/** Loads the user of these tokens (specification, section 4), and stores the session if there is one. */
export async function openSession(
  http: Http,
  session: SessionManager,
  userinfo: ApiCall,
  { access_token, refresh_token, revocation_secret }: TokenPair,
  active_organisation: Session['active_organisation'] = null,
): Promise<Outcome> {
  const outcome = await http.call(
    { ...userinfo, anonymous: true },
    {},
    { headers: { Authorization: `Bearer ${access_token}` } },
  )
  if (outcome.kind !== 'answered') return outcome
  const user = outcome.value as Session['user']
  await session.signIn(
    { access_token, refresh_token, user, active_organisation },
    revocation_secret,
  )
  http.capabilities.adopt(user.id)
  return outcome
}

/**
 * Ends a session on a server that gives no revocation secret; the sign-out on the device does not wait for it. Never
 * rejects: an unreachable server keeps the session until it expires.
 */
export async function revokeSession(
  http: Http,
  { revoke }: TokenCalls,
  refresh_token: string,
): Promise<void> {
  if (revoke) await http.call(revoke, { body: { refresh_token } }).catch(() => undefined)
}

function failureOf(outcome: Outcome): Exclude<SignInResult, { ok: true }> {
  if (outcome.kind === 'busy') {
    const { error, retryAfterMs } = outcome
    return {
      ok: false,
      reason: error.status === 429 ? 'limited' : 'unreachable',
      message: error.message,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }
  }
  const isAnswered =
    outcome.kind === 'refused' || (outcome.kind === 'unreachable' && outcome.notUnderstood)
  return {
    ok: false,
    reason: isAnswered ? 'not-understood' : 'unreachable',
    message: '',
  }
}

/**
 * Uses up a refresh token. Never rejects: without an answer of the token endpoint it is `unreachable`.
 */
export async function refreshTokens(
  { network }: Ports,
  { call, client }: TokenCalls,
  refresh_token: string,
): Promise<RefreshResult> {
  try {
    const response = await network.exchange({
      method: call.method,
      url: call.path,
      timeoutMs: TOKEN_TIMEOUT_MS,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'refresh_token',
        ...(await client()),
        refresh_token,
        scope: '',
      }),
    })
    return parseTokenResponse(response, call, refresh_token)
  } catch {
    return { result: 'unreachable' }
  }
}

/** What a refresh says about the connection. */
export const refreshExchange = (call: ApiCall, { result }: RefreshResult): Exchange => ({
  call,
  result: result === 'unreachable' || result === 'not-understood' ? result : 'answered',
})

/** Errors of RFC 6749, 5.2, that say that the refresh token is not accepted. */
const REFUSALS = new Set<unknown>(['invalid_grant', 'invalid_request'])
/** Its other errors. What else servers write in `error` is no code: a text such as “Unauthorized”, or an object. */
const CONFIGURATION_ERRORS = new Set<unknown>([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
])
/** A sign-in refused with them is about what the user has typed: others are a fault of the configuration. */
const CREDENTIAL_STATUSES = new Set([400, 401, 422])
/** The server answers, and says nothing about the refresh token. */
const NO_ANSWER_TO_IT = new Set([403, 404, 405, 422])

/**
 * A refusal is 400 or 401 with one of the errors above; `invalid_client` and the like are a fault of the
 * configuration. Without a known error it is doubtful: Laravel's own 401, or that of a gateway. A
 * captive portal's page or a 500 must not sign the user out. `used` stays good where the answer has no
 * refresh token (RFC 6749, section 6).
 */
function parseTokenResponse(response: NetworkResponse, call: ApiCall, used: string): RefreshResult {
  const body = parseJson(response)
  const isJson = typeof body === 'object' && body !== null
  const { status } = response
  if (status >= 200 && status < 300) {
    const parsed = call.read(isJson ? withRefreshToken(body, used) : body)
    if (!parsed.ok) return { result: isJson ? 'not-understood' : 'unreachable' }
    const { access_token, refresh_token, revocation_secret } = parsed.value as TokenPair
    return { result: 'refreshed', access_token, refresh_token, revocation_secret }
  }
  if (!isJson) return { result: 'unreachable' }
  if (NO_ANSWER_TO_IT.has(status)) return { result: 'not-understood' }
  if (status !== 400 && status !== 401) return { result: 'unreachable' }
  const { error, code } = body as Record<string, unknown>
  if (REFUSALS.has(error)) return { result: 'refused', isLost: code === DEVICE_LOST }
  return { result: CONFIGURATION_ERRORS.has(error) ? 'not-understood' : 'doubtful' }
}

/** The answer of a token endpoint, which other servers enclose in `data`, with a refresh token. */
function withRefreshToken(answer: object, refresh_token: string): object {
  const tokens = 'data' in answer && typeof answer.data === 'object' ? answer.data : answer
  return { ...tokens, refresh_token: (tokens as Partial<TokenPair>).refresh_token || refresh_token }
}
