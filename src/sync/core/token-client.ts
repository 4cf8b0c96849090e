// The token endpoint: a password, or somebody else's word, becomes a session, and a refresh token its
// successor.
import { parseJson, type Http } from './http.ts'
import type { ApiCall, NetworkResponse, Ports } from './ports.ts'
import type { RefreshResult, SessionManager } from './session.ts'
import type { Session } from './session-store.ts'

/** For a whole exchange, in milliseconds. */
const TOKEN_TIMEOUT_MS = 20_000

export interface TokenCalls {
  call: ApiCall
  /** The parameters that name the app at the token endpoint. */
  client: () => Promise<Record<string, string>>
  userinfo: ApiCall
}

/** What somebody signs in with: a password, or a token in which a provider vouches for them. */
export type Credentials =
  | { grant_type: 'password'; username: string; password: string }
  | { grant_type: 'social'; provider: string; token: string; nonce: string }

export type SignInResult =
  | { ok: true }
  | {
      ok: false
      reason: 'refused' | 'limited' | 'unreachable'
      message: string
      retryAfterMs?: number
    }

interface TokenPair {
  access_token: string
  refresh_token: string
}

/**
 * Exchanges credentials for a session. Nothing is kept unless both tokens and the user are there
 * (specification, section 4). `after` is in milliseconds.
 */
export async function signIn(
  http: Http,
  session: SessionManager,
  token: TokenCalls,
  credentials: Credentials,
): Promise<SignInResult> {
  const outcome = await http.call(token.call, {
    body: { ...credentials, ...(await token.client()), scope: '' },
  })
  if (outcome.kind === 'refused')
    return { ok: false, reason: 'refused', message: outcome.error.message }
  if (outcome.kind === 'busy')
    return {
      ok: false,
      reason: outcome.error.status === 429 ? 'limited' : 'unreachable',
      message: outcome.error.message,
      ...(outcome.retryAfterMs !== undefined && { retryAfterMs: outcome.retryAfterMs }),
    }
  if (outcome.kind !== 'answered') return UNREACHABLE
  const { access_token, refresh_token } = outcome.value as TokenPair
  const user = await http.call(
    { ...token.userinfo, anonymous: true },
    {},
    { headers: { Authorization: `Bearer ${access_token}` } },
  )
  if (user.kind !== 'answered') return UNREACHABLE
  await session.signIn({
    access_token,
    refresh_token,
    user: user.value as Session['user'],
    active_organisation: null,
  })
  return { ok: true }
}

const UNREACHABLE = { ok: false, reason: 'unreachable', message: '' } as const

/** Spends a refresh token. Whatever is neither tokens nor a clear refusal is no answer. */
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
    return parseTokenResponse(response, call)
  } catch {
    return { result: 'unreachable' }
  }
}

/**
 * 400 and 401 with a JSON `error` are a refusal (contract, Tokens): servers differ in which. Anything
 * else, a captive portal's page or a server in trouble, must sign nobody out.
 */
function parseTokenResponse(response: NetworkResponse, call: ApiCall): RefreshResult {
  const body = parseJson(response)
  if (response.status >= 200 && response.status < 300) {
    const parsed = call.read(body)
    if (!parsed.ok) return { result: 'unreachable' }
    const { access_token, refresh_token } = parsed.value as TokenPair
    return { result: 'refreshed', access_token, refresh_token }
  }
  const refused =
    (response.status === 400 || response.status === 401) &&
    typeof body === 'object' &&
    body !== null &&
    typeof (body as Record<string, unknown>).error === 'string'
  return { result: refused ? 'refused' : 'unreachable' }
}
