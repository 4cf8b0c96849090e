// Sign-in with Google by redirect in the same window, because an installed app has no other. The ID
// token comes back in the URL fragment (OpenID Connect, `response_type=id_token`). No request goes to
// Google before the user presses the button.
import type { Config } from '../../../../contract/schemas/config.ts'
import { loadPage } from '../../../ui/platform/load-page.ts'

/**
 * localStorage, because Chromium may restore an old sessionStorage in a window that returns from
 * another site.
 */
const KEY = 'google-sign-in'
/** How long the user may take at Google. */
const AUTH_REQUEST_TTL_MS = 900_000

/** The pending sign-in with Google; stored only until the user returns. */
export interface AuthRequest {
  /** Returned next to the token: proves that this device started the request. */
  state: string
  /** Returned inside the token: proves that the token was issued for this request. */
  nonce: string
  /** Where to go after signing in. */
  redirect: string | null
  /** The fragment of an invitation link, including `#`; or empty. */
  invite: string
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

/** Leaves for Google; false if its URL is invalid. */
export function goToGoogle(
  config: Partial<Config>,
  intent: Pick<AuthRequest, 'redirect' | 'invite'>,
): boolean {
  const request: AuthRequest = { ...intent, state: random(), nonce: random() }
  localStorage.setItem(KEY, JSON.stringify({ ...request, left: Date.now() }))
  return loadPage(googlePage(config, request, location.origin), { external: true })
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

/** The token, or why there is none. */
export type GoogleAnswer =
  | { token: string }
  /** `foreign`: not requested by this device. `cancelled`: by the user. */
  | { failure: 'foreign' | 'cancelled' | 'unverified' | 'failed' }

/** The result in the fragment, checked against the pending request. */
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

/** The unverified claims of a token; the server verifies it. */
function claimsOf(token: string): { nonce?: unknown; email_verified?: unknown } | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as object
  } catch {
    return undefined
  }
}
