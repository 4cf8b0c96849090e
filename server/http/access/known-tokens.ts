// The tokens that were valid when this process last saw them: their look-ups need no limit.
import { sha256 } from '../../hash.ts'

/** Remembers the 10,000 most recent tokens, by hash. */
export interface KnownTokens {
  has(token: string): boolean
  /** `user_id`: the user of an access token, once it was used. */
  add(token: string, user_id?: string): void
  /** Whose access token it is; undefined before its first use. */
  userOf(token: string): string | undefined
  delete(token: string): void
}

const MAX_KNOWN_TOKENS = 10_000

const keyOf = (token: string) => sha256(token).toString('base64')

/** An empty memory of tokens. */
export function createKnownTokens(): KnownTokens {
  const users = new Map<string, string | undefined>()
  return {
    has: (token) => users.has(keyOf(token)),
    add(token, user_id) {
      const key = keyOf(token)
      // A Map keeps the order of insertion: the first key is the longest unused.
      users.delete(key)
      const [oldest] = users.keys()
      if (users.size >= MAX_KNOWN_TOKENS && oldest !== undefined) users.delete(oldest)
      users.set(key, user_id)
    },
    userOf: (token) => users.get(keyOf(token)),
    delete: (token) => void users.delete(keyOf(token)),
  }
}
