// A job queue in a table. A job is claimed with a lease, attempted outside of any transaction, and then
// deleted or postponed with backoff. Any number of processes may work on one table. Organisations take turns.
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { errorFields, log } from '../log.ts'

type QueueTable = 'mails' | 'pushes'

/**
 * Result of an attempt. `done` deletes the job in one transaction with `alsoInTransaction`, and logs the
 * event where there is one; `retryInMs` postpones it by at least that long.
 */
export type JobResult =
  | { done: { event?: string; level?: 'info' | 'error' }; alsoInTransaction?: TxWork }
  | { retryInMs: number }
type TxWork = (tx: Tx) => Promise<unknown>

interface JobQueueOptions<T extends QueueTable> {
  table: T
  /** What one job is called in the log. */
  name: string
  now: () => Date
  /** The order of jobs that are due, before the order of their time. */
  rank?: RawBuilder<unknown>
  /** The organisation that causes a job; null for none. Organisations take turns, so that none delays the others. */
  organisation: keyof Tables[T] & string
  /** Does the job. When it rejects, the job is retried with backoff. */
  attempt: (job: Selectable<Tables[T]>) => Promise<JobResult>
  /** Whether another attempt would fail in the same way. */
  isPermanentFailure?: (error: unknown) => boolean
}

/** A running queue. */
export interface JobQueue {
  /** Attempts all jobs that are due. Resolves when none is left; failures are logged and retried later. */
  deliver(): Promise<void>
  /** Finishes the current jobs and starts no other one. */
  stop(): Promise<void>
}

const MINUTE_MS = 60_000
/** The job of a killed process is attempted again after this time. */
const LEASE_MS = 5 * MINUTE_MS
const MAX_BACKOFF_MS = 60 * MINUTE_MS
/** How many jobs are attempted at a time: one that waits for a slow service does not delay all others. */
const AT_A_TIME = 4

/** 1, 2, 4 … 60 minutes. */
const backoffMs = (attempts: number) => Math.min(MAX_BACKOFF_MS, MINUTE_MS * 2 ** (attempts - 1))

/** The queue of one table. Jobs are inserted by the caller, in the transaction that causes them. */
export function createJobQueue<T extends QueueTable>(
  database: Database,
  { table, name, now, rank, organisation, attempt, ...options }: JobQueueOptions<T>,
): JobQueue {
  // Both tables have the columns of the queue; Kysely cannot see that for a generic name.
  const jobs = table as 'mails'
  const instantIn = (ms: number) => new Date(now().getTime() + ms).toISOString()
  const { isPermanentFailure = () => false } = options
  const turn = sql<string>`coalesce(${sql.ref(organisation)}::text, 'none')`
  /** The organisations that have had their turn in this round. */
  const served = new Set<string>()

  async function claim() {
    const job = await database.system((tx) =>
      tx
        .updateTable(jobs)
        .set((row) => ({ attempts: row('attempts', '+', 1), next_attempt_at: instantIn(LEASE_MS) }))
        .where('id', '=', (rows) =>
          rows
            .selectFrom(jobs)
            .select('id')
            .where('next_attempt_at', '<=', instantIn(0))
            .$if(rank !== undefined, (due) => due.orderBy(rank as RawBuilder<unknown>))
            .orderBy(sql`${turn} = any(string_to_array(${[...served].join()}, ','))`)
            .orderBy('next_attempt_at')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .returning(turn.as('turn'))
        .executeTakeFirst(),
    )
    if (!job) return undefined
    if (served.has(job.turn)) served.clear()
    served.add(job.turn)
    return job
  }

  const end = (id: string, also?: TxWork) =>
    database.system(async (tx) => {
      await also?.(tx)
      await tx.deleteFrom(jobs).where('id', '=', id).execute()
    })

  const postpone = (id: string, next_attempt_at: string) =>
    database.system((tx) =>
      tx.updateTable(jobs).set({ next_attempt_at }).where('id', '=', id).execute(),
    )

  async function handle(job: Selectable<Tables['mails']>): Promise<void> {
    const { id, attempts, expires_at, request_id } = job
    const fields = { [name]: id, ...(request_id !== undefined && { request_id }), attempts }
    if (expires_at <= instantIn(0)) {
      log('error', `${name} given up`, fields)
      return await end(id)
    }
    let retryInMs = backoffMs(attempts)
    let result: JobResult | undefined
    try {
      result = await attempt(job as unknown as Selectable<Tables[T]>)
    } catch (error) {
      const isLast = instantIn(retryInMs) > expires_at || isPermanentFailure(error)
      log('error', `${name} ${isLast ? 'given up' : 'not sent'}`, {
        ...fields,
        ...errorFields(error),
      })
      if (isLast) return await end(id)
    }
    if (result && 'done' in result) {
      const { event, level = 'info' } = result.done
      await end(id, result.alsoInTransaction)
      if (event !== undefined) log(level, event, fields)
      return
    }
    if (result) retryInMs = Math.max(retryInMs, result.retryInMs)
    await postpone(id, instantIn(retryInMs))
  }

  const workers = new Set<Promise<void>>()
  /** There may be jobs that no claim has looked for yet. */
  let isRequested = false
  let isStopped = false
  /** One claim at a time: each knows whose turn the others have taken. */
  let claiming: ReturnType<typeof claim> = Promise.resolve(undefined)
  const claimNext = () => {
    const next = () => {
      isRequested = false
      return isStopped ? undefined : claim()
    }
    return (claiming = claiming.then(next, next))
  }
  /** A due job is often followed by another: a second worker looks for one, and ends when it finds none. */
  async function work(): Promise<void> {
    for (let job = await claimNext(); job; job = await claimNext()) {
      startWorker()
      await handle(job)
    }
  }
  function startWorker(): void {
    if (workers.size >= AT_A_TIME) return
    const worker: Promise<void> = work()
      .catch((error: unknown) => log('error', `${name} queue failed`, errorFields(error)))
      .finally(() => {
        workers.delete(worker)
        // A job was requested while all workers were busy, after this one had looked for the last time.
        if (isRequested) startWorker()
      })
    workers.add(worker)
  }
  async function finished(): Promise<void> {
    while (workers.size > 0) await Promise.all(workers)
  }

  return {
    deliver() {
      isRequested = true
      startWorker()
      return finished()
    },
    async stop() {
      isStopped = true
      await finished()
    },
  }
}
