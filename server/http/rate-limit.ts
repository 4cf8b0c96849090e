// Rate limits of this process: token buckets. The whole bucket may be used at once, so that a device can send
// 500 queued operations.

/** How many requests, or bytes, a bucket holds, and how fast it fills. */
export interface BucketSize {
  capacity: number
  refillPerSecond: number
}

/** For each user: 600 requests a minute. */
export const USER_BUCKET: BucketSize = { capacity: 600, refillPerSecond: 10 }
/** For each network: an office of three hundred people that all open the app at nine o'clock. */
export const NETWORK_BUCKET: BucketSize = { capacity: 3_000, refillPerSecond: 20 }
/** For each network, of reports of how fast the app is: they are sent when a page is left. */
export const VITALS_BUCKET: BucketSize = { capacity: 300, refillPerSecond: 1 }
const MIB = 2 ** 20
const DAY_SECONDS = 86_400
/** For each user, of bytes that are stored for idempotency keys: 64 MiB in a day. */
export const STORED_BUCKET: BucketSize = {
  capacity: 64 * MIB,
  refillPerSecond: (64 * MIB) / DAY_SECONDS,
}

const MAX_CALLERS = 10_000

/** The buckets of this process. `nowMs`: milliseconds of a clock that is never set back. */
export interface RateLimit {
  /**
   * Takes a request, or `count` bytes, from the caller's bucket. Returns the seconds to wait when it has too few,
   * else 0.
   */
  take(caller: string, nowMs: number, count?: number): number
  /** Returns a request that was taken. */
  refund(caller: string): void
}

/** Buckets for at most 10,000 callers, all full. */
export function createRateLimit({ capacity, refillPerSecond }: BucketSize): RateLimit {
  const buckets = new Map<string, { tokens: number; refilledAt: number }>()
  return {
    take(caller, nowMs, count = 1) {
      const bucket = buckets.get(caller)
      const refilled = bucket
        ? bucket.tokens + ((nowMs - bucket.refilledAt) / 1_000) * refillPerSecond
        : capacity
      const tokens = Math.min(capacity, refilled)
      // A Map keeps the order of insertion: the first bucket is the longest unused, and full again.
      buckets.delete(caller)
      const [oldest] = buckets.keys()
      if (buckets.size >= MAX_CALLERS && oldest !== undefined) buckets.delete(oldest)
      buckets.set(caller, { tokens: tokens < count ? tokens : tokens - count, refilledAt: nowMs })
      return tokens < count ? (count - tokens) / refillPerSecond : 0
    },
    refund(caller) {
      const bucket = buckets.get(caller)
      if (bucket) bucket.tokens = Math.min(capacity, bucket.tokens + 1)
    },
  }
}
