// Keeps a busy organisation from delaying others: each one runs a few transactions at a time, fewer when more
// organisations are busy, and a limited number of its requests wait.
import { WaitingLine } from '../../auth/waiting-line.ts'
import type { Access, Database } from '../../database/database.ts'
import { retryAfter } from '../../errors/http-error.ts'
import { createLockTurns } from './lock-turns.ts'

interface TurnLimits {
  /** Transactions of one organisation that may run in this process. */
  running: number
  /** Transactions of all organisations. One of them stays free for an organisation that becomes busy. */
  together: number
  /** Requests of one organisation that may wait, for each kind of access. */
  waiting: number
}

/** There are ten connections; a thousand requests wait for a few seconds. */
export const TURN_LIMITS: TurnLimits = { running: 4, together: 10, waiting: 1_000 }
const RETRY_SECONDS = 5

const busy = () =>
  retryAfter(
    503,
    'Too many requests of this organisation at once. Please try again.',
    RETRY_SECONDS,
  )

/** The turns of one organisation. */
class Turns {
  running = 0
  #isWriting = false
  #last: Access = 'read'
  readonly #lines: Record<Access, WaitingLine>

  constructor(waiting: number) {
    this.#lines = { read: new WaitingLine(waiting), write: new WaitingLine(waiting) }
  }

  /** Resolves when the transaction may run; rejects when too many wait. */
  wait(access: Access, caller: string): Promise<void> {
    return new Promise((start, reject) => {
      this.#lines[access].add(caller, { start, refuse: () => reject(busy()) })
    })
  }

  /** Starts those that wait, up to `limit` at a time. */
  startUpTo(limit: number): void {
    while (this.running < limit && this.#startOne());
  }

  end(access: Access): void {
    this.running -= 1
    if (access === 'write') this.#isWriting = false
  }

  /** Reads and writes take turns. A second write would hold a connection and wait for the lock of the first. */
  #startOne(): boolean {
    for (const access of this.#last === 'read' ? WRITE_FIRST : READ_FIRST) {
      if (access === 'write' && this.#isWriting) continue
      const next = this.#lines[access].next()
      if (!next) continue
      this.running += 1
      this.#last = access
      if (access === 'write') this.#isWriting = true
      next.start()
      return true
    }
    return false
  }
}

const WRITE_FIRST = ['write', 'read'] as const
const READ_FIRST = ['read', 'write'] as const

/**
 * The database for requests: transactions of an organisation take turns, as do those of `authInTurn`, and so do the
 * users of an organisation. When too many wait, the last request of the user with the most of them rejects with a
 * 503 HttpError with `Retry-After`. Transactions of one organisation must not be nested.
 */
export function withTurns(
  database: Database,
  { running, together, waiting }: TurnLimits = TURN_LIMITS,
): Database {
  const organisations = new Map<string, Turns>()

  /** An equal share for each busy organisation, and for one that is not busy yet. */
  const share = () =>
    Math.max(1, Math.min(running, Math.floor(together / (organisations.size + 1))))

  async function inTurn<T>(
    id: string,
    access: Access,
    caller: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const turns = organisations.get(id) ?? new Turns(waiting)
    organisations.set(id, turns)
    const started = turns.wait(access, caller)
    turns.startUpTo(share())
    await started
    try {
      return await work()
    } finally {
      turns.end(access)
      turns.startUpTo(share())
      if (turns.running === 0) {
        organisations.delete(id)
        // The others have a larger share now.
        for (const other of organisations.values()) other.startUpTo(share())
      }
    }
  }

  const inLockTurn = createLockTurns(waiting)
  return {
    ...database,
    authInTurn: (turn, work, about) =>
      inLockTurn(turn, () => {
        const { organisation_id: id, caller } = turn
        const run = () => database.auth(work, about)
        return id === undefined ? run() : inTurn(id, 'write', caller, run)
      }),
    tenant: (id, work, user_id, access = 'read', lookUps) =>
      inTurn(id, access, user_id ?? '', () => database.tenant(id, work, user_id, access, lookUps)),
    tenantSnapshot: (id, work) => inTurn(id, 'read', '', () => database.tenantSnapshot(id, work)),
  }
}
