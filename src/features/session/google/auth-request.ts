// Signing in with Google: there and back in the same window, since an installed app has no other, with
// an ID token behind the `#` (OpenID Connect, response_type id_token). Google is asked nothing before.
import type { Config } from '../../../../contract/schemas/config.ts'
import { loadPage } from '../../../ui/platform/load-page.ts'

/** In localStorage: Chromium may show a window that comes back from another site an old sessionStorage. */
const KEY = 'google-sign-in'
/** How long somebody may stay with Google, in milliseconds. */
const AUTH_REQUEST_TTL_MS = 900_000

/** What somebody went to Google for; kept only until they are back. */
export interface AuthRequest {
  /** Comes back beside the answer: it was asked for here. */
  state: string
  /** Comes back inside of the token: it was made for this errand. */
  nonce: string
  /** Where they wanted to go in the first place. */
  redirect: string | null
  /** The link of an invitation, from its `#` on; or nothing. */
  invite: string
}

const random = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** The page of Google that asks for a choice of account, and leads back to `origin`/auth. */
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

/** Leaves for Google; false when its address is none. */
export function goToGoogle(
  config: Partial<Config>,
  intent: Pick<AuthRequest, 'redirect' | 'invite'>,
): boolean {
  const request: AuthRequest = { ...intent, state: random(), nonce: random() }
  localStorage.setItem(KEY, JSON.stringify({ ...request, left: Date.now() }))
  return loadPage(googlePage(config, request, location.origin), { external: true })
}

/** What somebody went to Google for; null when nobody did. Once only: no answer counts twice. */
export function consumeAuthRequest(): AuthRequest | null {
  const request = readAuthRequest()
  localStorage.removeItem(KEY)
  return request
}

/** Drops the errand of somebody who never came back. */
export function dropExpiredAuthRequest(): void {
  if (!readAuthRequest()) localStorage.removeItem(KEY)
}

function readAuthRequest(): AuthRequest | null {
  const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as
    | (AuthRequest & { left: number })
    | null
  return stored && Date.now() - stored.left < AUTH_REQUEST_TTL_MS ? stored : null
}

export type GoogleAnswer =
  | { token: string }
  /** `foreign` was not asked for here; `cancelled` by who was asked. */
  | { failure: 'foreign' | 'cancelled' | 'unverified' | 'failed' }

/** What came back behind the `#`, when one went there on that errand. */
export function readAnswer(hash: string, request: AuthRequest | null): GoogleAnswer {
  const parameters = new URLSearchParams(hash.slice(1))
  if (!request || parameters.get('state') !== request.state) return { failure: 'foreign' }
  const error = parameters.get('error')
  if (error !== null) return { failure: error === 'access_denied' ? 'cancelled' : 'failed' }
  const token = parameters.get('id_token')
  const claims = token === null ? undefined : claimsOf(token)
  if (token === null || !claims) return { failure: 'failed' }
  if (claims.nonce !== request.nonce) return { failure: 'foreign' }
  return claims.email_verified === true ? { token } : { failure: 'unverified' }
}

/** What a token claims; whether that is true is for the server to find out. */
function claimsOf(token: string): { nonce?: unknown; email_verified?: unknown } | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as object
  } catch {
    return undefined
  }
}
