// The session of a batch: looked up once for its operations, and again when it may have ended meanwhile.
import { sessionsOf, type ChangeSubscriptions } from '../database/change-bus.ts'
import type { SignedIn, TokenService } from './tokens.ts'

/** A user whose rights were changed without ending sessions, and a token that expires, are noticed after so long. */
const MAX_AGE_MS = 1_000

interface SessionSource {
  tokens: TokenService
  changes: ChangeSubscriptions
  monotonicMs: () => number
}

/**
 * The token service for the requests of one user with one access token. `stop` ends the subscription to the end of
 * the user's sessions.
 */
export function rememberSession(
  { tokens, changes, monotonicMs }: SessionSource,
  user_id: string,
): { tokens: TokenService; stop: () => void } {
  let remembered: { user: SignedIn; at: number } | undefined
  let notices = 0
  const stop = changes.subscribe(sessionsOf(user_id), () => {
    notices += 1
    remembered = undefined
  })
  async function authenticate(access_token: string): Promise<SignedIn | undefined> {
    const at = monotonicMs()
    if (remembered && at - remembered.at < MAX_AGE_MS) return remembered.user
    const seen = notices
    const user = await tokens.authenticate(access_token)
    // A session that ended while it was looked up may have been read before its end.
    remembered = user && notices === seen ? { user, at } : undefined
    return user
  }
  // What is remembered needs no look-up in the transactions of the batch.
  return { tokens: { ...tokens, authenticate, sessionOf: undefined }, stop }
}
