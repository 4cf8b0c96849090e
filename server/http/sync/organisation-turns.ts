// Organisations do not wait for each other: each one has a few transactions at a time, and a bounded line.
import { WaitingLine } from '../../auth/waiting-line.ts'
import type { Database } from '../../database/database.ts'
import { retryAfter } from '../../errors/http-error.ts'

/** How many transactions of one organisation may run in this process, and how many may wait. */
interface TurnLimits {
  running: number
  waiting: number
}

/** Fewer than half of the connections; a thousand wait for a few seconds. */
export const TURN_LIMITS: TurnLimits = { running: 4, waiting: 1_000 }
const RETRY_SECONDS = 5

const busy = () =>
  retryAfter(
    503,
    'Too many requests of this organisation at once. Please try again.',
    RETRY_SECONDS,
  )

interface Turns {
  running: number
  line: WaitingLine
}

/**
 * The database for requests, in which each organisation's transactions take turns. Users of the same
 * organisation take turns, too. Throws a 503 HttpError with `Retry-After` when too many are waiting: whoever has
 * most in the line is refused. Transactions of one organisation must not be nested.
 */
export function withTurns(
  database: Database,
  { running, waiting }: TurnLimits = TURN_LIMITS,
): Database {
  const organisations = new Map<string, Turns>()

  async function inTurn<T>(id: string, caller: string, work: () => Promise<T>): Promise<T> {
    const turns = organisations.get(id) ?? { running: 0, line: new WaitingLine(waiting) }
    organisations.set(id, turns)
    if (turns.running < running) turns.running += 1
    else
      await new Promise<void>((start, reject) => {
        turns.line.add(caller, { start, refuse: () => reject(busy()) })
      })
    try {
      return await work()
    } finally {
      const next = turns.line.next()
      if (next) next.start()
      else turns.running -= 1
      if (turns.running === 0) organisations.delete(id)
    }
  }

  return {
    ...database,
    tenant: (id, work, user_id) =>
      inTurn(id, user_id ?? '', () => database.tenant(id, work, user_id)),
    tenantSnapshot: (id, work) => inTurn(id, '', () => database.tenantSnapshot(id, work)),
  }
}
