// Sign-in with a provider by redirect in the same window, because an installed app has no other. The answer
// comes back in the URL fragment: an ID token of Google (OpenID Connect, `response_type=id_token`), or the code of
// another issuer, which the server exchanges. No request goes to a provider before the user presses its button.
import type { Config } from '../../../../contract/schemas/config.ts'
import { endpoints } from '../../../../contract/endpoints.ts'
import { sync } from '../../../sync/client.ts'
import type { SocialProof } from '../../../sync/core/token-client.ts'
import { loadPage } from '../../../ui/platform/load-page.ts'

/**
 * localStorage, because Chromium may restore an old sessionStorage in a window that returns from
 * another site.
 */
const KEY = 'google-sign-in'
/** How long the user may take at the provider. */
const AUTH_REQUEST_TTL_MS = 900_000

/** The pending sign-in with a provider; stored only until the user returns. */
export interface AuthRequest {
  /** Returned next to the answer: proves that this device started the request. */
  state: string
  /** Returned inside the token: proves that the token was issued for this request. */
  nonce: string
  /** Where to go after signing in. */
  redirect: string | null
  /** The fragment of an invitation link, including `#`; or empty. */
  invite: string
  /** Only for a code: proves that this device asked for it (RFC 7636). Without one, the provider is Google. */
  code_verifier?: string
}

const random = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** URL of Google's account chooser, which redirects to `origin`/auth. */
export function googlePage(
  { googleClientId, googleAuthorizationUrl }: Partial<Config>,
  { state, nonce }: Pick<AuthRequest, 'state' | 'nonce'>,
  origin: string,
): string {
  const page = new URL(googleAuthorizationUrl ?? '')
  const parameters = {
    client_id: googleClientId ?? '',
    redirect_uri: `${origin}/auth`,
    response_type: 'id_token',
    scope: 'openid email profile',
    prompt: 'select_account',
    state,
    nonce,
  }
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value)
  return page.href
}

type Intent = Pick<AuthRequest, 'redirect' | 'invite'>

function store(request: AuthRequest): void {
  localStorage.setItem(KEY, JSON.stringify({ ...request, left: Date.now() }))
}

/** Leaves for Google; false if its URL is invalid. */
export function goToGoogle(config: Partial<Config>, intent: Intent): boolean {
  const request: AuthRequest = { ...intent, state: random(), nonce: random() }
  store(request)
  return loadPage(googlePage(config, request, location.origin), { external: true })
}

/**
 * Asks the server for the page of the other issuer; rejects with its CallError. Resolves to what leaves for it, which
 * returns false if its URL is invalid.
 */
export async function requestIssuer(intent: Intent): Promise<() => boolean> {
  const code_verifier = random() + random()
  const request: AuthRequest = { ...intent, state: random(), nonce: random(), code_verifier }
  const { state, nonce } = request
  const code_challenge = await challengeOf(code_verifier)
  const body = { state, nonce, code_challenge }
  const { authorization_url } = await sync().call(endpoints.startOidcSignIn, { body })
  return () => {
    store(request)
    return loadPage(authorization_url, { external: true })
  }
}

/** The SHA-256 of a verifier, base64url. */
async function challengeOf(code_verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code_verifier))
  const base64 = btoa(String.fromCharCode(...new Uint8Array(hash)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * Reads and removes the pending request, so that an answer counts only once; null if there is none.
 */
export function consumeAuthRequest(): AuthRequest | null {
  const request = readAuthRequest()
  localStorage.removeItem(KEY)
  return request
}

/** Removes the request of a user who did not return in time. */
export function dropExpiredAuthRequest(): void {
  if (!readAuthRequest()) localStorage.removeItem(KEY)
}

function readAuthRequest(): AuthRequest | null {
  const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as
    | (AuthRequest & { left: number })
    | null
  return stored && Date.now() - stored.left < AUTH_REQUEST_TTL_MS ? stored : null
}

/** What the provider has proven, or why nothing. */
export type SocialAnswer =
  | SocialProof
  /** `foreign`: not requested by this device. `cancelled`: by the user. */
  | { failure: 'foreign' | 'cancelled' | 'unverified' | 'failed' }

/** The result in the fragment, checked against the pending request. */
export function readAnswer(hash: string, request: AuthRequest | null): SocialAnswer {
  const parameters = new URLSearchParams(hash.slice(1))
  if (!request || parameters.get('state') !== request.state) return { failure: 'foreign' }
  const error = parameters.get('error')
  if (error !== null) return { failure: error === 'access_denied' ? 'cancelled' : 'failed' }
  const { nonce, code_verifier } = request
  if (code_verifier !== undefined) {
    const [code, iss] = [parameters.get('code'), parameters.get('iss')]
    if (code === null) return { failure: 'failed' }
    return { provider: 'oidc', nonce, code, code_verifier, ...(iss !== null && { iss }) }
  }
  const token = parameters.get('id_token')
  const claims = token === null ? undefined : claimsOf(token)
  if (token === null || !claims) return { failure: 'failed' }
  if (claims.nonce !== nonce) return { failure: 'foreign' }
  return claims.email_verified === true
    ? { provider: 'google', nonce, token }
    : { failure: 'unverified' }
}

/** The unverified claims of a token; the server verifies it. */
function claimsOf(token: string): { nonce?: unknown; email_verified?: unknown } | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as object
  } catch {
    return undefined
  }
}
