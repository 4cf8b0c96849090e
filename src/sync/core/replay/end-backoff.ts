// The user wants to send now: delays that only this device chose are over.
import { remainingDelay, upcast } from '../operation.ts'
import type { Ports } from '../ports.ts'

/**
 * Ends the delays of the user's operations, except those that the server asked for. Resolves to the end of
 * the longest one that is left, in epoch milliseconds, undefined without one. Rejects when storage fails.
 */
export async function endBackoff(
  { clock, store }: Pick<Ports, 'clock' | 'store'>,
  user_id: string | undefined,
): Promise<number | undefined> {
  const now = clock.now()
  let latestMs = 0
  await store.transact(['operations'], 'readwrite', async (tx) => {
    for (const one of (await tx.all('operations', [])).map(upcast)) {
      if (!one || one.user_id !== user_id || one.state !== 'pending') continue
      const delayMs = remainingDelay(one, now)
      if (one.delayed_by_server) latestMs = Math.max(latestMs, delayMs)
      else if (delayMs > 0) tx.put('operations', one.id, { ...one, not_before: 0 })
    }
  })
  return latestMs > 0 ? now + latestMs : undefined
}
