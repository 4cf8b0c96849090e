// Rate limit: a token bucket of 600 requests a minute for each caller. The whole bucket may be used at once, so
// that a device can send 500 queued operations.
const CAPACITY = 600
const REFILL_PER_SECOND = 10
const MAX_CALLERS = 10_000

/** The buckets of this process. */
export interface RateLimit {
  /** Takes a request from the caller's bucket. Returns the seconds to wait when it is empty, else 0. */
  take(caller: string, now: Date): number
}

/** Buckets for at most 10,000 callers, all full. */
export function createRateLimit(): RateLimit {
  const buckets = new Map<string, { tokens: number; refilledAt: number }>()
  return {
    take(caller, now) {
      const refilledAt = now.getTime()
      const bucket = buckets.get(caller)
      const refilled = bucket
        ? bucket.tokens + ((refilledAt - bucket.refilledAt) / 1000) * REFILL_PER_SECOND
        : CAPACITY
      const tokens = Math.min(CAPACITY, refilled)
      // A Map keeps the order of insertion: the first bucket is the longest unused, and full again.
      buckets.delete(caller)
      const [oldest] = buckets.keys()
      if (buckets.size >= MAX_CALLERS && oldest !== undefined) buckets.delete(oldest)
      buckets.set(caller, { tokens: tokens < 1 ? tokens : tokens - 1, refilledAt })
      return tokens < 1 ? (1 - tokens) / REFILL_PER_SECOND : 0
    },
  }
}
