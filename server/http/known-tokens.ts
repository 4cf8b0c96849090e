// The tokens that were valid when this process last saw them: their look-ups need no limit.
import { sha256 } from '../hash.ts'

/** Remembers the 10,000 most recent tokens, by hash. */
export interface KnownTokens {
  has(token: string): boolean
  add(token: string): void
  delete(token: string): void
}

const MAX_KNOWN_TOKENS = 10_000

const keyOf = (token: string) => sha256(token).toString('base64')

/** An empty memory of tokens. */
export function createKnownTokens(): KnownTokens {
  const keys = new Set<string>()
  return {
    has: (token) => keys.has(keyOf(token)),
    add(token) {
      const key = keyOf(token)
      // A Set keeps the order of insertion: the first key is the longest unused.
      keys.delete(key)
      const [oldest] = keys
      if (keys.size >= MAX_KNOWN_TOKENS && oldest !== undefined) keys.delete(oldest)
      keys.add(key)
    },
    delete: (token) => void keys.delete(keyOf(token)),
  }
}
