// 600 calls a minute for each caller, all at once if need be: 500 queued operations drain unhindered.
const CAPACITY = 600
const PER_SECOND = 10
const REMEMBERED = 10_000

export interface RateLimit {
  /** Takes one call from the caller's share. Seconds to wait when it is used up, else 0. */
  take(caller: string, now: Date): number
}

export function createRateLimit(): RateLimit {
  const shares = new Map<string, { left: number; at: number }>()
  return {
    take(caller, now) {
      const at = now.getTime()
      const share = shares.get(caller)
      const refilled = share ? share.left + ((at - share.at) / 1000) * PER_SECOND : CAPACITY
      const left = Math.min(CAPACITY, refilled)
      // The longest unseen comes first in the map; by then its share is full again.
      shares.delete(caller)
      const [oldest] = shares.keys()
      if (shares.size >= REMEMBERED && oldest !== undefined) shares.delete(oldest)
      shares.set(caller, { left: left < 1 ? left : left - 1, at })
      return left < 1 ? (1 - left) / PER_SECOND : 0
    },
  }
}
