// Transactions outside of organisations that take the same lock run one at a time. Otherwise each of them would hold
// one of the few connections while it waits for the lock, and all other requests would wait.
import { WaitingLine } from '../../auth/waiting-line.ts'
import type { Turn } from '../../database/database.ts'
import { retryAfter } from '../../errors/http-error.ts'

const RETRY_SECONDS = 5

const busy = () => retryAfter(503, 'Too many requests at once. Please try again.', RETRY_SECONDS)

/**
 * Runs `work` in its turn. When more than `waiting` wait for the same lock, the last one of the caller with the
 * most of them rejects with a 503 HttpError with `Retry-After`. Work with the same lock must not be nested.
 */
export function createLockTurns(
  waiting: number,
): <T>(turn: Turn, work: () => Promise<T>) => Promise<T> {
  /** By lock, for as long as work with it runs. */
  const lines = new Map<string, WaitingLine>()
  return async ({ lock, caller }, work) => {
    const line = lines.get(lock)
    if (line)
      await new Promise<void>((start, reject) => {
        line.add(caller, { start, refuse: () => reject(busy()) })
      })
    else lines.set(lock, new WaitingLine(waiting))
    try {
      return await work()
    } finally {
      const next = lines.get(lock)?.next()
      if (next) next.start()
      else lines.delete(lock)
    }
  }
}
