import { isSameServer } from '../api/address.ts'
import { remainingDelay, upcast } from '../operation.ts'
import type { Outbox } from '../outbox.ts'
import type { Ports } from '../ports.ts'

/**
 * Ends the delays of a user's operations, except those that the server asked for; the time in which an
 * operation can be undone only with `endsUndo`. Resolves to the end of the longest delay that the server
 * asked for, in epoch milliseconds, undefined without one. Rejects when storage fails.
 */
export async function endBackoff(
  { api, clock }: Ports,
  outbox: Outbox,
  user_id: string | undefined,
  endsUndo: boolean,
): Promise<number | undefined> {
  const now = clock.now()
  let latestMs = 0
  await outbox.write(async (tx) => {
    for (const one of (await tx.all('operations', [])).map(upcast)) {
      if (!one || one.user_id !== user_id || one.state !== 'pending') continue
      if (!isSameServer(api(), one.api)) continue
      // Every other delay follows an attempt.
      if (one.attempts === 0 && !endsUndo) continue
      const delayMs = remainingDelay(one, now)
      if (one.delayed_by_server) latestMs = Math.max(latestMs, delayMs)
      else if (delayMs > 0) tx.put('operations', one.id, { ...one, not_before: 0 })
    }
  })
  return latestMs > 0 ? now + latestMs : undefined
}
