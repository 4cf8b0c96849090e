// When the active organisation is pulled: pulls are shared, failed ones retried, results published.
import type { ServerFields } from '../arrival/server-fields.ts'
import type { Connection } from '../connection.ts'
import type { EngineState } from '../observable.ts'
import type { Reading } from './asked-lists.ts'
import type { VersionEvent } from './event-changes.ts'
import type { Puller } from './puller.ts'
import { sameScope, type Replica, type Scope } from '../replica.ts'

export interface PullSchedulerOptions {
  puller: Puller
  connection: Connection
  state: EngineState
  /** The replica of the active organisation; undefined without one. */
  activeReplica: () => Replica | undefined
  fields: ServerFields
  /** Called when a pull was stored and its operations are pruned. */
  onPulled: () => Promise<void>
  /** The device's clock, epoch milliseconds. */
  now: () => number
}

/** A server without `changes` is read as a whole this often, apart from starts and reconnections. */
const WHOLE_READING_MS = 15 * 60_000
/** As many readings in a row that were not complete follow each other by the back-off of the connection. */
const QUICK_REPEATS = 3
/**
 * The wait after them, which doubles with each further one: a list may never be answered as agreed. Within
 * this time a reading is repeated for the lists alone that it missed.
 */
const PACED_REPEAT_MS = 2 * 60_000

/** How long to wait after a reading of all lists, in milliseconds; `incomplete`: so many in a row were not. */
function waitAfter(incomplete: number, isReconnected: boolean): number {
  if (incomplete === 0) return isReconnected ? 0 : WHOLE_READING_MS
  if (incomplete < QUICK_REPEATS) return 0
  return Math.min(PACED_REPEAT_MS * 2 ** (incomplete - QUICK_REPEATS), WHOLE_READING_MS)
}

/** Decides when replicas are pulled, and publishes the results. */
export class PullScheduler {
  readonly #options: PullSchedulerOptions
  #pulling: { scope: Scope; reading: Reading; done: Promise<void> } | undefined
  /**
   * The last pull of this context, the last one that did not only complete another, and how many in a row
   * were not complete.
   */
  #lastPull: { scope: Scope; at: number; wholeAt: number; incomplete: number } | undefined

  /** How many readings of the status have begun. */
  #statusReads = 0
  /** The number of the one that is published. */
  #publishedRead = 0

  constructor(options: PullSchedulerOptions) {
    this.#options = options
  }

  /**
   * Pulls the active organisation to its end, for a user who waits for it. Calls during a pull share it. Never
   * rejects.
   */
  async pull(): Promise<void> {
    await this.#pull('all', true)
  }

  async #pull(asked: Reading, isAwaited = false): Promise<void> {
    const { activeReplica, puller } = this.#options
    const replica = activeReplica()
    if (!replica) return
    const { scope } = replica
    const isPart = puller.usesLists && sameScope(this.#lastPull?.scope, scope)
    const reading = isPart ? asked : 'all'
    const running = this.#pulling
    const isShared = running && sameScope(running.scope, scope)
    if (isShared && ['all', reading].includes(running.reading)) return await running.done
    const done = this.#pullOnce(replica, reading, isAwaited).finally(() => {
      if (this.#pulling?.done === done) this.#pulling = undefined
    })
    this.#pulling = { scope, reading, done }
    await done
  }

  /**
   * Pulls like `pull`. A server without `changes` is read only every WHOLE_READING_MS and after a reconnection; sooner,
   * at growing intervals, while the last reading was not complete.
   */
  async pullIfDue(isReconnected = false): Promise<void> {
    const { activeReplica, connection, now, puller } = this.#options
    const last = this.#lastPull
    if (!puller.usesLists || !last || !sameScope(activeReplica()?.scope, last.scope))
      return await this.#pull('all')
    // A reading that completed another one made none of the other lists newer.
    const age = now() - (last.incomplete > 0 ? last.at : last.wholeAt)
    const wait = Math.max(waitAfter(last.incomplete, isReconnected), puller.retryAfterMs)
    // A negative age: the clock was set back.
    if (age >= wait || age < 0)
      await this.#pull(
        last.incomplete > 0 && now() - last.wholeAt < PACED_REPEAT_MS ? 'missed' : 'all',
      )
    else if (last.incomplete > 0) connection.scheduleRetry()
    // All lists were read recently: an answer of another call that is not as agreed is shown by its own screen.
    else if (!this.#pulling) connection.forget(({ method }) => method === 'GET')
  }

  /**
   * Pulls with a request sent after this call: waits for a running pull, then pulls again; with `isNeeded` only where
   * that is still so. Rejects when `isNeeded` does.
   */
  async pullAgain(reading: Reading = 'all', isNeeded?: () => Promise<boolean>): Promise<void> {
    await this.#pulling?.done.catch(() => undefined)
    if (!isNeeded || (await isNeeded())) await this.#pull(reading)
  }

  /** Stores the changes of an event; false where they have to be pulled. Rejects when storage fails. */
  async applyEvent(replica: Replica, event: VersionEvent): Promise<boolean> {
    const isApplied = await this.#options.puller.applyEvent(replica, event)
    if (isApplied) await this.#options.onPulled()
    return isApplied
  }

  /** See `Puller.pullPartition`. */
  async pullPartition(...list: Parameters<Puller['pullPartition']>): Promise<boolean> {
    const pulled = await this.#options.puller.pullPartition(...list)
    await this.#options.onPulled()
    return pulled
  }

  /** Pulls the whole organisation in spite of data saver. */
  async pullEverything(): Promise<void> {
    await this.#options.activeReplica()?.requestFullSync()
    await this.pullAgain()
  }

  /** Publishes age, completeness, unread values and fields not kept of the active replica, as stored. */
  async publishStatus(): Promise<void> {
    const { activeReplica, fields, puller, state } = this.#options
    const replica = activeReplica()
    if (!replica) return
    const begun = (this.#statusReads += 1)
    const [{ lastSyncedAt, download, report: read }, notKept] = await Promise.all([
      puller.status(replica),
      fields.notKept(),
    ])
    const report = { ...read, notKept }
    // While the device was read a newer reading may have ended, or the active organisation have changed.
    if (begun < this.#publishedRead || !sameScope(activeReplica()?.scope, replica.scope)) return
    this.#publishedRead = begun
    state.lastSyncedAt.set(lastSyncedAt)
    const shown = state.downloadState.get()
    const isSame = shown.phase === download.phase && shown.share === download.share
    if (!isSame || shown.evicted !== download.evicted) state.downloadState.set(download)
    if (JSON.stringify(state.readReport.get()) !== JSON.stringify(report))
      state.readReport.set(report)
    state.isStatusRead.set(true)
  }

  async #pullOnce(replica: Replica, reading: Reading, isAwaited: boolean): Promise<void> {
    const { connection, now, puller, onPulled } = this.#options
    const { scope } = replica
    const before = sameScope(this.#lastPull?.scope, scope) ? this.#lastPull : undefined
    // Failed storage is retried like an unreachable server.
    const incompleteBefore = before?.incomplete ?? 0
    const tellsErrors = isAwaited || incompleteBefore + 1 >= QUICK_REPEATS
    const result = await puller
      .pull(replica, reading, tellsErrors)
      .catch(() => 'unreachable' as const)
    // While offline the retry is scheduled already.
    if (result === 'unreachable' && !connection.offline) connection.scheduleRetry()
    if (result === 'done') connection.resetBackoff()
    // One of few lists makes none of the others newer.
    if (reading !== 'sent' || result !== 'done') {
      const incomplete = result === 'done' ? 0 : incompleteBefore + 1
      const at = now()
      const wholeAt = reading !== 'all' && before ? before.wholeAt : at
      this.#lastPull = { scope, at, wholeAt, incomplete }
    }
    await this.publishStatus().catch(() => undefined)
    if (result === 'done' || puller.usesLists) await onPulled()
  }
}
