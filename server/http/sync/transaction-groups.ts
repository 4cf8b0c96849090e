// Consecutive operations of a batch share a transaction: what is the same for all of them is read and written once.
import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import type { LookUp } from '../../database/wire/look-up.ts'
import { holdOrganisation } from '../../domain/organisation.ts'
import { HttpError, unauthenticated, unavailable } from '../../errors/http-error.ts'
import { holdAnswers } from '../idempotency.ts'

/** Other writers wait for the lock of the organisation. The operation that runs when the time is up is the last one. */
const MAX_HELD_MS = 100
/** PostgreSQL keeps up to 64 subtransactions of a transaction in memory. */
const MAX_OPERATIONS = 50

interface Group {
  tx: Tx
  /** What was read for all operations, and is written once before the commit. */
  held: readonly Awaited<ReturnType<typeof holdOrganisation | typeof holdAnswers>>[]
  startedAt: number
  operations: number
  /** Commits the transaction. */
  end: () => void
  committed: Promise<unknown>
}

/** An operation of a batch. */
interface GroupedOperation {
  /** The database for its call. A write resolves when its group is committed. */
  database: Database
  /** Resolves when the next operation may begin, also before the commit: to the result, or the HttpError. */
  done: Promise<unknown>
}

interface TransactionGroups {
  add: () => GroupedOperation
  /** Commits the group that is open. Must be awaited before another transaction is begun. */
  commit: () => Promise<void>
}

const notStored = () => unavailable('The database could not store this. Please try again.')

/**
 * Groups for the operations of one user in one organisation, which run one after the other. `keys` returns the keys of
 * the next operations, at most `max`. `session`: that of the user, which may end while a transaction waits for its
 * lock.
 */
export function createTransactionGroups(
  database: Database,
  {
    monotonicMs,
    keys,
    session,
  }: {
    monotonicMs: () => number
    keys: (max: number) => readonly string[]
    session: LookUp<unknown> | undefined
  },
): TransactionGroups {
  let group: Group | undefined
  let hasFailed = false
  const lookUps = session && { auth: session, tenant: [] }
  const requireSession = ([sessions = []]: unknown[][]) => {
    if (session && !session.read(sessions)) throw unauthenticated()
  }

  async function begin(organisation_id: string, user_id: string): Promise<Group> {
    const opened = Promise.withResolvers<Pick<Group, 'tx' | 'held' | 'startedAt'>>()
    const ended = Promise.withResolvers<void>()
    let isOpen = false
    const work = async (tx: Tx, found: unknown[][]) => {
      // It cannot be repeated: a version that an operation got may be the If-Match of the next one.
      if (isOpen) throw notStored()
      requireSession(found)
      const held = [
        await holdOrganisation(tx, user_id, organisation_id),
        await holdAnswers(tx, { user_id, organisation_id }, keys(MAX_OPERATIONS)),
      ]
      isOpen = true
      opened.resolve({ tx, held, startedAt: monotonicMs() })
      await ended.promise
      for (const one of held) await one.write()
    }
    const committed = database.tenant(organisation_id, work, user_id, 'write', lookUps)
    committed.catch(opened.reject)
    return { ...(await opened.promise), operations: 0, end: ended.resolve, committed }
  }

  async function commit(): Promise<void> {
    const ended = group
    group = undefined
    ended?.end()
    await ended?.committed.catch(() => (hasFailed = true))
  }

  /** After operations that may not have taken effect nothing runs: it may be based on them. */
  function requireCommitted(): void {
    if (hasFailed) throw notStored()
  }

  /** Undoes the operation alone when it fails. */
  async function attempt<T>({ tx, held }: Group, work: (tx: Tx) => Promise<T>): Promise<T> {
    await sql`savepoint operation`.execute(tx)
    const undo = held.map((one) => one.mark())
    try {
      return await work(tx)
    } catch (error) {
      await sql`rollback to savepoint operation`.execute(tx)
      for (const one of undo) one()
      throw error
    }
  }

  async function run<T>(
    organisation_id: string,
    work: (tx: Tx) => Promise<T>,
    user_id: string,
    done: (outcome: unknown) => void,
  ): Promise<T> {
    requireCommitted()
    group ??= await begin(organisation_id, user_id)
    const current = group
    const outcome = await attempt(current, work).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    )
    if ('error' in outcome && !(outcome.error instanceof HttpError)) {
      // An error of the database, such as a conflict: the operation runs again by itself, as any other call would.
      await commit()
      requireCommitted()
      const alone = async (tx: Tx, found: unknown[][]) => {
        requireSession(found)
        return work(tx)
      }
      return database.tenant(organisation_id, alone, user_id, 'write', lookUps)
    }
    current.operations += 1
    const heldMs = monotonicMs() - current.startedAt
    if (current.operations === MAX_OPERATIONS || heldMs >= MAX_HELD_MS) await commit()
    else done('result' in outcome ? outcome.result : outcome.error)
    // Also for an error response, which may be due to what other operations of the group have written.
    await current.committed
    if ('error' in outcome) throw outcome.error
    return outcome.result
  }

  return {
    commit,
    add() {
      const done = Promise.withResolvers<unknown>()
      return {
        done: done.promise,
        database: {
          ...database,
          tenant: (id, work, user_id = '') => run(id, (tx) => work(tx, []), user_id, done.resolve),
        },
      }
    },
  }
}
