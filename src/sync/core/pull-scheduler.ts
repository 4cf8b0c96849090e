// When the active organisation is read, and how old the device's copy of it is.
import type { Replica, SyncCursor, Scope } from './replica.ts'
import type { Connection } from './connection.ts'
import type { Puller } from './puller.ts'
import { Observable } from './observable.ts'

/** How much of the active organisation is on the device. */
export interface DownloadState {
  /** The first whole download is still to come to its end, or is put off to spare the network; or neither. */
  phase: 'idle' | 'first' | 'deferred'
  /** Of a first download what is done, from 0 to 1; null when that is not known. */
  share: number | null
}

const IDLE: DownloadState = { phase: 'idle', share: null }

export class PullScheduler {
  /** When the active organisation was last read to its end, in epoch milliseconds. */
  readonly lastSyncedAt = new Observable<number | null>(null)
  readonly downloadState = new Observable<DownloadState>(IDLE)
  readonly #puller: Puller
  readonly #connection: Connection
  readonly #activeReplica: () => Replica | undefined
  readonly #onPulled: () => Promise<void>
  #pulling: { scope: Scope; done: Promise<void> } | undefined

  /** `active` is the cache of the active organisation; `landed` hears when what was read is there. */
  constructor(
    puller: Puller,
    connection: Connection,
    activeReplica: () => Replica | undefined,
    onPulled: () => Promise<void>,
  ) {
    this.#puller = puller
    this.#connection = connection
    this.#activeReplica = activeReplica
    this.#onPulled = onPulled
  }

  /** Reads the active organisation to its end; shared by all who ask while it runs. */
  async pull(): Promise<void> {
    const replica = this.#activeReplica()
    if (!replica) return
    const running = this.#pulling
    if (running && sameScope(running.scope, replica.scope)) return await running.done
    const done = this.#pullOnce(replica).finally(() => {
      if (this.#pulling?.done === done) this.#pulling = undefined
    })
    this.#pulling = { scope: replica.scope, done }
    await done
  }

  /** A pull that begins from now on, even when one is under way. */
  async pullAgain(): Promise<void> {
    await this.#pulling?.done.catch(() => undefined)
    await this.pull()
  }

  /** Whether the server knows no `changes`: then partitions are read when they are opened. */
  get usesLists(): boolean {
    return this.#puller.usesLists
  }

  /** Brings one partition of a collection; false when the server could not be asked. */
  async pullPartition(replica: Replica, name: string, partition: string): Promise<boolean> {
    const pulled = await this.#puller.pullPartition(replica, name, partition)
    await this.#onPulled()
    return pulled === true
  }

  /** Brings the whole organisation, however dear the network. */
  async pullEverything(): Promise<void> {
    await this.#activeReplica()?.requestFullSync()
    await this.pullAgain()
  }

  /** Says how old and how whole the device's copy of the active organisation is; without a network as well. */
  async publishStatus(): Promise<void> {
    const replica = this.#activeReplica()
    if (!replica) return
    const cursor = await replica.cursor()
    if (!sameScope(this.#activeReplica()?.scope, replica.scope)) return
    this.lastSyncedAt.set(cursor.synced_at)
    const { phase, share } = this.#stateOf(cursor)
    const shown = this.downloadState.get()
    if (shown.phase !== phase || shown.share !== share) this.downloadState.set({ phase, share })
  }

  #stateOf(cursor: SyncCursor): DownloadState {
    const { since, whole, latest } = cursor
    if (whole || this.usesLists) return IDLE
    const share = latest ? Math.min(1, since / latest) : null
    return { phase: this.#puller.isDeferred(cursor) ? 'deferred' : 'first', share }
  }

  async #pullOnce(replica: Replica): Promise<void> {
    // Storage that fails is asked again later, like a server that does not answer.
    const result = await this.#puller.pull(replica).catch(() => 'unreachable' as const)
    // The server is there and could not answer; without any answer the next try is set already.
    if (result === 'unreachable' && !this.#connection.offline) this.#connection.scheduleRetry()
    if (result !== 'done') return
    this.#connection.resetBackoff()
    await this.publishStatus().catch(() => undefined)
    await this.#onPulled()
  }
}

export const sameScope = (a: Scope | undefined, b: Scope): boolean =>
  a?.user_id === b.user_id && a.organisation_id === b.organisation_id
