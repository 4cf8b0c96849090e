// Signing in with Google: there and back in the same window, since an installed app has no other, with
// an ID token behind the `#` (OpenID Connect, response_type id_token). Google is asked nothing before.
import type { Config } from '../../../contract/config.ts'
import { loadPage } from '../../ui/load-page.ts'

/** In localStorage: Chromium may show a window that comes back from another site an old sessionStorage. */
const KEY = 'google-sign-in'
/** How long somebody may stay with Google, in milliseconds. */
const PATIENCE = 900_000

/** What somebody went to Google for; kept only until they are back. */
export interface Errand {
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
  { state, nonce }: Pick<Errand, 'state' | 'nonce'>,
  origin: string,
): string {
  const page = new URL(googleAuthorizationUrl ?? '')
  const asked = {
    client_id: googleClientId ?? '',
    redirect_uri: `${origin}/auth`,
    response_type: 'id_token',
    scope: 'openid email profile',
    prompt: 'select_account',
    state,
    nonce,
  }
  for (const [name, value] of Object.entries(asked)) page.searchParams.set(name, value)
  return page.href
}

/** Leaves for Google; false when its address is none. */
export function goToGoogle(
  config: Partial<Config>,
  wish: Pick<Errand, 'redirect' | 'invite'>,
): boolean {
  const errand: Errand = { ...wish, state: random(), nonce: random() }
  localStorage.setItem(KEY, JSON.stringify({ ...errand, left: Date.now() }))
  return loadPage(googlePage(config, errand, location.origin), { external: true })
}

/** What somebody went to Google for; null when nobody did. Once only: no answer counts twice. */
export function takeErrand(): Errand | null {
  const errand = keptErrand()
  localStorage.removeItem(KEY)
  return errand
}

/** Drops the errand of somebody who never came back. */
export function dropOldErrand(): void {
  if (!keptErrand()) localStorage.removeItem(KEY)
}

function keptErrand(): Errand | null {
  const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as (Errand & { left: number }) | null
  return kept && Date.now() - kept.left < PATIENCE ? kept : null
}

export type GoogleAnswer =
  | { token: string }
  /** `foreign` was not asked for here; `cancelled` by who was asked. */
  | { failure: 'foreign' | 'cancelled' | 'unverified' | 'failed' }

/** What came back behind the `#`, when one went there on that errand. */
export function readAnswer(hash: string, errand: Errand | null): GoogleAnswer {
  const said = new URLSearchParams(hash.slice(1))
  if (!errand || said.get('state') !== errand.state) return { failure: 'foreign' }
  const error = said.get('error')
  if (error !== null) return { failure: error === 'access_denied' ? 'cancelled' : 'failed' }
  const token = said.get('id_token')
  const claims = token === null ? undefined : claimsOf(token)
  if (token === null || !claims) return { failure: 'failed' }
  if (claims.nonce !== errand.nonce) return { failure: 'foreign' }
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
