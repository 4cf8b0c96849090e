// The token endpoint: a password, or somebody else's word, becomes a session, and a refresh token its
// successor.
import { parse, type Http } from './http.ts'
import type { Call, NetworkAnswer, Ports } from './ports.ts'
import type { Refreshed, Session, SessionKeeper } from './session.ts'

/** For a whole exchange, in milliseconds. */
const TIMEOUT = 20_000

export interface TokenCalls {
  call: Call
  /** The parameters that name the app at the token endpoint. */
  client: () => Promise<Record<string, string>>
  userinfo: Call
}

/** What somebody signs in with: a password, or a token in which a provider vouches for them. */
export type Credentials =
  | { grant_type: 'password'; username: string; password: string }
  | { grant_type: 'social'; provider: string; token: string; nonce: string }

export type SignIn =
  | { ok: true }
  | { ok: false; reason: 'refused' | 'limited' | 'unreachable'; message: string; after?: number }

interface Pair {
  access_token: string
  refresh_token: string
}

/**
 * Exchanges credentials for a session. Nothing is kept unless both tokens and the user are there
 * (specification, section 4). `after` is in milliseconds.
 */
export async function signIn(
  http: Http,
  session: SessionKeeper,
  token: TokenCalls,
  credentials: Credentials,
): Promise<SignIn> {
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
      ...(outcome.after !== undefined && { after: outcome.after }),
    }
  if (outcome.kind !== 'answered') return UNREACHABLE
  const { access_token, refresh_token } = outcome.value as Pair
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
export async function askForTokens(
  { network }: Ports,
  { call, client }: TokenCalls,
  refresh_token: string,
): Promise<Refreshed> {
  try {
    const answer = await network.exchange({
      method: call.method,
      url: call.path,
      timeout: TIMEOUT,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'refresh_token',
        ...(await client()),
        refresh_token,
        scope: '',
      }),
    })
    return judge(answer, call)
  } catch {
    return { result: 'unreachable' }
  }
}

/**
 * 400 and 401 with a JSON `error` are a refusal (contract, Tokens): servers differ in which. Anything
 * else, a captive portal's page or a server in trouble, must sign nobody out.
 */
function judge(answer: NetworkAnswer, call: Call): Refreshed {
  const body = parse(answer)
  if (answer.status >= 200 && answer.status < 300) {
    const read = call.read(body)
    if (!read.ok) return { result: 'unreachable' }
    const { access_token, refresh_token } = read.value as Pair
    return { result: 'refreshed', access_token, refresh_token }
  }
  const refused =
    (answer.status === 400 || answer.status === 401) &&
    typeof body === 'object' &&
    body !== null &&
    typeof (body as Record<string, unknown>).error === 'string'
  return { result: refused ? 'refused' : 'unreachable' }
}
