// Two tokens are a session, also without a stored user (specification, section 4): the server is asked for the user.
import { isUnauthenticated } from '../core/api/outcome.ts'
import type { Engine } from '../core/engine.ts'
import type { Ports } from '../core/ports.ts'
import { REFRESH_LOCK, REFRESH_LOCK_TIMEOUT_MS } from '../core/session.ts'
import { openSession, refreshTokens, type TokenCalls } from '../core/token-client.ts'
import { readLoneTokens } from './session-storage.ts'

/**
 * Signs in the user of the stored tokens. Tokens that the server refuses are deleted; without an answer they stay.
 * Rejects when storage fails.
 */
export async function adoptTokens(
  { http, session }: Engine,
  ports: Ports,
  token: TokenCalls,
): Promise<void> {
  // Other tabs have the same tokens, and each refresh token can be used once.
  await ports.locks.withLock(REFRESH_LOCK, { timeoutMs: REFRESH_LOCK_TIMEOUT_MS }, async () => {
    const tokens = readLoneTokens(localStorage)
    if (!tokens) return
    const { active_organisation, refresh_token } = tokens
    const open = (pair: Pick<typeof tokens, 'access_token' | 'refresh_token'>) =>
      openSession(http, session, token.userinfo, pair, active_organisation)
    if (!isUnauthenticated(await open(tokens))) return
    const refreshed = await refreshTokens(ports, token, refresh_token)
    const { result } = refreshed
    // Enough to end it: a refresh token alone is no session.
    if (result === 'refused') localStorage.removeItem('access_token')
    if (result !== 'refreshed') return
    // Stored before the user is known: the former tokens are used up.
    localStorage.setItem('access_token', refreshed.access_token)
    localStorage.setItem('refresh_token', refreshed.refresh_token)
    await open(refreshed)
  })
}
