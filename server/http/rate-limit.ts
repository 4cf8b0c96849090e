// 600 calls a minute for each caller, all at once if need be: 500 queued operations drain unhindered.
const CAPACITY = 600
const REFILL_PER_SECOND = 10
const MAX_CALLERS = 10_000

export interface RateLimit {
  /** Takes one call from the caller's share. Seconds to wait when it is used up, else 0. */
  take(caller: string, now: Date): number
}

export function createRateLimit(): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>()
  return {
    take(caller, now) {
      const at = now.getTime()
      const bucket = buckets.get(caller)
      const refilled = bucket
        ? bucket.left + ((at - bucket.at) / 1000) * REFILL_PER_SECOND
        : CAPACITY
      const left = Math.min(CAPACITY, refilled)
      // The longest unseen comes first in the map; by then its share is full again.
      buckets.delete(caller)
      const [oldest] = buckets.keys()
      if (buckets.size >= MAX_CALLERS && oldest !== undefined) buckets.delete(oldest)
      buckets.set(caller, { left: left < 1 ? left : left - 1, at })
      return left < 1 ? (1 - left) / REFILL_PER_SECOND : 0
    },
  }
}
