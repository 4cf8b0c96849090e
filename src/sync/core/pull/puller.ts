// Pull: brings the whole organisation to the device, so that a plan which was never opened can be read
// offline. Reads `changes` after the stored cursor, or the lists where a server has no `changes`. Absence
// is never inferred from failure: what was not read stays as it was.
import type { Http } from '../api/http.ts'
import type { Outbox } from '../outbox.ts'
import type { ApiCall, CallInput, Ports } from '../ports.ts'
import {
  isSameCursor,
  type AppliedDelta,
  type CursorUpdate,
  type Delta,
  type Partitions,
  type Replica,
  type SyncCursor,
} from '../replica.ts'
import {
  pullLists,
  readList,
  type ListResult,
  type PullEndpoints,
  type PullResult,
  type ReadPage,
} from './list-pull.ts'
import { askedLists, partialLists, type ListsRead, type Reading } from './asked-lists.ts'
import { ChangesFeed } from './changes-feed.ts'
import { coverageOfPull, createdRecords, pruneOutbox } from './coverage.ts'
import { applyEvent, type ChangesPage, type VersionEvent } from './event-changes.ts'
import { addReceived, missingRecords, type Received } from './gone-records.ts'
import { appendsTo, arePartsRead, beginPart } from './read-parts.ts'
import { readReport, ReadReporter, type ReplicaStatus } from './read-report.ts'

const lockOf = ({ scope }: Replica) => `cairn-download-${scope.organisation_id}`
/** A context without progress for this long is considered frozen, and its lock is stolen. */
const LOCK_TIMEOUT_MS = 60_000
const USE_LISTS: { listed: number | undefined } = { listed: undefined }
type List = [ApiCall, CallInput, (page: ReadPage) => Promise<boolean>, maxRequests?: number]

export interface PullerOptions {
  ports: Ports
  http: Http
  outbox: Outbox
  sources: PullEndpoints
  partitions: Partitions
  /** Awaited after each stored page: brings the page to the screens. */
  onStored: (replica: Replica, applied: AppliedDelta) => Promise<void>
}

/** Pulls replicas: locks, pages and cursors. When to pull is the scheduler's decision. */
export class Puller {
  readonly #options: PullerOptions
  readonly #feed: ChangesFeed
  /** How long the server wanted to be left alone at the last reading of its lists. */
  retryAfterMs = 0
  #lists: ListsRead = { read: [], missed: [] }

  constructor(options: PullerOptions) {
    this.#options = options
    this.#feed = new ChangesFeed(options.http, options.sources.changes)
  }

  /**
   * Brings the replica up to date from its cursor, in one context at a time. The lock of a context
   * without progress for a minute is stolen; its later writes are rejected. Rejects when storage fails.
   */
  async pull(replica: Replica, reading: Reading, tellsErrors: boolean): Promise<PullResult> {
    const { locks } = this.#options.ports
    const name = lockOf(replica)
    const work = () => this.#pullLocked(replica, reading, tellsErrors)
    const before = await replica.cursor()
    let locked = await locks.withLock(name, { timeoutMs: LOCK_TIMEOUT_MS }, work)
    if (!locked && isSameCursor(before, await replica.cursor()))
      locked = await locks.withLock(name, { timeoutMs: 1, steal: true }, work)
    return locked?.value ?? 'unreachable'
  }

  /** To be read before a request for records of a collection that replace stored ones, see `Delta.replaces`. */
  async fence(name: string): Promise<number> {
    // Partitions are only added to: an old page takes nothing away.
    return this.#options.partitions[name] ? Infinity : await this.#options.outbox.fence()
  }

  /** See `applyEvent`; false as well where another context does not end its pull. */
  async applyEvent(replica: Replica, event: VersionEvent): Promise<boolean> {
    const work = () => applyEvent(this.#options, replica, event)
    const { locks } = this.#options.ports
    const locked = await locks.withLock(lockOf(replica), { timeoutMs: LOCK_TIMEOUT_MS }, work)
    return locked?.value === true
  }

  async #pullLocked(replica: Replica, reading: Reading, tellsErrors: boolean): Promise<PullResult> {
    const fence = await this.#options.outbox.fence()
    const report = new ReadReporter(tellsErrors)
    const pages = this.#feed.pages(replica.scope)
    let changes: PullResult | typeof USE_LISTS
    try {
      changes = await this.#pullChanges(replica, report, fence, pages)
    } finally {
      pages.end()
    }
    const received: Received = new Map()
    this.retryAfterMs = 0
    const result =
      typeof changes === 'object'
        ? await this.#pullLists(replica, received, report, { ...changes, fence, reading })
        : changes
    await report.store(replica, changes === 'done')
    // A list that was not answered keeps the operations of no other in the outbox.
    if (result !== 'done' && received.size === 0) return result
    if (result === 'done' && changes === USE_LISTS) this.#feed.setDenied()
    const { user_id, organisation_id } = replica.scope
    const lists = typeof changes === 'object' ? received : undefined
    const isCovered = await coverageOfPull(replica, this.#options, lists)
    // The records are on the screens now, so the operations that they contain can leave the outbox.
    await pruneOutbox(
      this.#options,
      replica,
      fence,
      (one) =>
        one.user_id === user_id &&
        (one.organisation_id === organisation_id || one.organisation_id === null) &&
        isCovered(one),
    )
    return result
  }

  /** Pulls one partition; false when it could not be read, by so many requests. Rejects when storage fails. */
  async pullPartition(replica: Replica, name: string, partition: string, maxRequests = Infinity) {
    const source = this.#options.sources.parts[name]
    if (!source) return false
    const fence = await this.#options.outbox.fence()
    const report = new ReadReporter()
    const store = ({ records, unread }: ReadPage) => {
      report.addPage(name, records, unread)
      // Without `changes` nothing tells that the server's data was restored, with lower versions.
      const replaces = this.usesLists ? Infinity : undefined
      return this.store(replica, { put: { [name]: records }, deleted: [], replaces })
    }
    const input = source.input(partition)
    const end = await this.beginPart(replica, name, partition)
    const result = await this.#readList(replica, source.call, input, store, maxRequests)
    await report.store(replica)
    if (result.kind !== 'done') return false
    await end(result.ids)
    // An operation changes the owner of the partition as well, which another pull stores.
    const { fence: ownersFence = 0 } = await replica.cursor()
    const isOwn = appendsTo(this.#options.sources, replica, name, partition)
    await pruneOutbox(this.#options, replica, Math.min(fence, ownersFence), isOwn)
    return true
  }

  /** See `beginPart`. */
  readonly beginPart = async (...part: [replica: Replica, name: string, partition: string]) =>
    await beginPart(this, this.#options, ...part)
  readonly arePartsRead = arePartsRead

  /** Whether the server has no `changes`: then each partition has to be pulled on its own. */
  get usesLists(): boolean {
    return this.#feed.isAbsent
  }

  async status(replica: Replica): Promise<ReplicaStatus> {
    const [cursor, read] = await Promise.all([replica.cursor(), readReport(replica)])
    const { since, whole, latest, evicted, synced_at: lastSyncedAt } = cursor
    const report = { ...read, ...partialLists(cursor, this.#options.sources) }
    if (whole || this.usesLists)
      return { lastSyncedAt, report, download: { phase: 'idle', share: null } }
    const share = latest ? Math.min(1, since / latest) : null
    const phase = this.#isDeferred(cursor) ? 'deferred' : 'first'
    return { lastSyncedAt, report, download: { phase, share, evicted } }
  }

  /**
   * Pulls `changes`. Resolves to an object when the lists have to be read instead; they then are
   * complete up to version `listed`, where that is known.
   */
  async #pullChanges(
    replica: Replica,
    report: ReadReporter,
    fence: number,
    pages: ReturnType<ChangesFeed['pages']>,
  ): Promise<PullResult | typeof USE_LISTS> {
    if (this.#feed.isDenied) return USE_LISTS
    let cursor = await replica.cursor()
    const isRequested = cursor.all
    /** The cursor as stored on the device. */
    let from = cursor
    /** Set during a complete pull after a 410: stored records that are not received are deleted. */
    let received: Received | undefined
    // What the lists had may be of a database that the server has left, with other versions.
    const replacesLists = cursor.since === 0 && cursor.lists !== undefined
    for (;;) {
      const deferred = !received && !isRequested && this.#isDeferred(cursor)
      const since = (deferred ? cursor.listed : undefined) ?? cursor.since
      const outcome = await pages.read(since)
      const isFirst = !cursor.whole && cursor.since === 0
      if (outcome.kind === 'refused' && outcome.error.status === 410 && !received) {
        received = new Map()
        cursor = { ...cursor, since: 0 }
        continue
      }
      const instead = await this.#feed.classify(outcome, since, isFirst)
      if (instead) return instead === 'denied' ? USE_LISTS : { listed: undefined }
      if (outcome.kind === 'busy') return 'unreachable'
      if (outcome.kind !== 'answered') return outcome.kind
      const page = outcome.value as ChangesPage
      const { data, version, more, latest } = page
      if (more && !deferred) pages.readAhead(page)
      const { deleted, ...put } = data
      const unread = outcome.unread ?? []
      for (const [name, records] of Object.entries(put)) {
        const unreadHere = unread.filter(({ collection }) => collection === name)
        report.addPage(name, records, unreadHere)
        if (received) addReceived(received, name, [...records, ...unreadHere])
      }
      const last = !more
      const synced_at = last ? this.#options.ports.clock.now() : cursor.synced_at
      cursor =
        deferred && cursor.listed !== undefined
          ? { ...cursor, synced_at, latest, listed: version, ...(last && { fence }) }
          : { since: version, whole: cursor.whole || last, synced_at, latest, lists: cursor.lists }
      // In the transaction of the last page, so that no crash leaves deleted records on the device.
      if (received && last) deleted.push(...(await missingRecords(replica, received)))
      // The cursor of a pull from version 0 after a 410 is stored at its end only: it is not resumed.
      const to = received && more ? undefined : cursor
      const delta = { put, deleted, reset: replacesLists || received !== undefined }
      if (!(await this.store(replica, delta, { from, to }))) return 'unreachable'
      if (to) from = to
      if (last) return 'done'
      if (deferred && cursor.listed === undefined) return { listed: latest }
    }
  }

  /** Whether data saver postpones the first complete download. */
  #isDeferred({ whole, all }: SyncCursor): boolean {
    return !whole && !all && this.#options.ports.network.saveData()
  }

  async #pullLists(
    replica: Replica,
    received: Received,
    report: ReadReporter,
    { listed, fence, reading }: { listed: number | undefined; fence: number; reading: Reading },
  ): Promise<PullResult> {
    const from = await replica.cursor()
    // That lists were read is noted with the first page: see `replacesLists`.
    const begun = { from, to: { ...from, lists: from.lists ?? [] } }
    const { lists, optional, records } = this.#options.sources
    const before = this.#lists
    this.#lists = { read: [], missed: [] }
    const part = await askedLists(reading, before, from, replica, this.#options)
    const asked = Object.entries(lists).filter(([name]) => !part || part.includes(name))
    const sources = { lists: Object.fromEntries(asked), optional, records }
    const result = await pullLists(replica, sources, received, report, {
      read: (call, store) => this.#readList(replica, call, {}, store),
      request: (call, input) => this.#options.http.call(call, input, { caller: replica.scope }),
      isAnswering: () => this.#options.http.reachesServer(),
      created: () => createdRecords(replica, this.#options),
      store: (delta) => this.store(replica, { ...delta, replaces: fence }, begun),
    })
    if (typeof result === 'string') return result
    const { missed } = result
    report.setMissed(missed)
    const isDone = missed.length === 0
    if (received.size === 0 && !part) return isDone ? 'refused' : 'unreachable'
    this.#lists = {
      read: [...(part ? before.read : []), ...received.keys()],
      missed: [...before.missed.filter((name) => part && !part.includes(name)), ...missed],
    }
    const isWhole = Object.keys(lists).every((name) => received.has(name) || optional.has(name))
    const hasOwners = Object.values(this.#options.partitions).every(({ of }) => received.has(of))
    const to: SyncCursor = {
      ...from,
      ...(isDone &&
        !(part && reading === 'sent') && { synced_at: this.#options.ports.clock.now() }),
      // Later pulls ask for changes after this version only: what a refused list has would stay away.
      listed: isWhole ? listed : undefined,
      lists: [...new Set([...(from.lists ?? []), ...received.keys()])],
      ...(hasOwners && { fence }),
    }
    const isStored = await this.store(replica, { put: {}, deleted: [] }, { from, to })
    return isStored && isDone ? 'done' : 'unreachable'
  }

  async #readList({ scope }: Replica, ...list: List): Promise<ListResult> {
    const result = await readList(this.#options.http, scope, ...list)
    if (result.kind === 'busy' && result.retryAfterMs)
      this.retryAfterMs = Math.max(this.retryAfterMs, result.retryAfterMs)
    return result
  }

  /** Stores what was read and brings it to the screens; false when the replica is another one now. */
  async store(replica: Replica, delta: Delta, advance?: CursorUpdate): Promise<boolean> {
    const applied = await replica.apply(delta, advance)
    if (!applied) return false
    await this.#options.onStored(replica, applied)
    return true
  }
}
