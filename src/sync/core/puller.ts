// The whole organisation on the device: `changes` after what is already here, page by page, so that
// a plan never opened before opens in the air. A server without `changes` is read by its lists.
import {
  isSameCursor,
  type CursorUpdate,
  type Replica,
  type ReplicaRecord,
  type Delta,
  type Partitions,
  type SyncCursor,
} from './replica.ts'
import type { Http } from './http.ts'
import type { Operation } from './operation.ts'
import type { Outbox } from './outbox.ts'
import type { ApiCall, CallInput, Ports, ChangedIds } from './ports.ts'

const PULL_LOCK = 'cairn-download'
/** How long another context may go without any progress before it is taken for frozen. Milliseconds. */
const LOCK_TIMEOUT_MS = 60_000
const PAGE_SIZE = 500

/** One page of `changes`, as the table's call reads it. */
interface ChangesPage {
  data: Record<string, ReplicaRecord[]> & { deleted: { type: string; id: string }[] }
  version: number
  more: boolean
  latest?: number | undefined
}

interface ListPage {
  data: ReplicaRecord[]
  meta: { last_page: number } | null
}

/** Which calls bring an organisation to the device. */
export interface PullEndpoints {
  changes: ApiCall
  /** By collection, for servers that answer 404 to `changes`. */
  lists: Record<string, ApiCall>
  /** By partitioned collection: what brings one partition. */
  parts: Record<string, { call: ApiCall; input: (partition: string) => CallInput }>
  /** Which partition shows what an operation did; undefined when the lists show it. */
  partOf(
    operation: Pick<Operation, 'endpoint' | 'input'>,
  ): { name: string; partition: string } | undefined
}

export type PullResult = 'done' | 'unreachable' | 'refused' | 'signed-out'

export class Puller {
  readonly #ports: Ports
  readonly #http: Http
  readonly #outbox: Outbox
  readonly #sources: PullEndpoints
  readonly #partitions: Partitions
  readonly #onStored: (cache: Replica, touched: ChangedIds) => Promise<void>
  #usesLists = false

  /** `landed` hears of each page that is on the device, and puts it on the screens. */
  constructor(
    ports: Ports,
    http: Http,
    outbox: Outbox,
    { sources, partitions }: { sources: PullEndpoints; partitions: Partitions },
    onStored: (cache: Replica, touched: ChangedIds) => Promise<void>,
  ) {
    this.#ports = ports
    this.#http = http
    this.#outbox = outbox
    this.#sources = sources
    this.#partitions = partitions
    this.#onStored = onStored
  }

  /**
   * Brings the copy up to date, in one context at a time, going on where the last one stopped. One
   * that makes no progress for a minute is overtaken: should it wake up, what it brings is refused.
   */
  async pull(replica: Replica): Promise<PullResult> {
    const { locks } = this.#ports
    const name = `${PULL_LOCK}-${replica.scope.organisation_id}`
    const work = () => this.#pullLocked(replica)
    const before = await replica.cursor()
    let locked = await locks.withLock(name, { timeoutMs: LOCK_TIMEOUT_MS }, work)
    if (!locked && isSameCursor(before, await replica.cursor()))
      locked = await locks.withLock(name, { timeoutMs: 1, steal: true }, work)
    return locked?.value ?? 'unreachable'
  }

  async #pullLocked(replica: Replica): Promise<PullResult> {
    const fence = await this.#outbox.fence()
    const changes = this.#usesLists ? USE_LISTS : await this.#pullChanges(replica)
    const received = new IdSet()
    const result =
      typeof changes === 'object'
        ? await this.#pullLists(replica, received, changes.listed)
        : changes
    if (result !== 'done') return result
    const { user_id, organisation_id } = replica.scope
    // The copy is on the screens by now, so what it covers may leave the outbox.
    await this.#outbox.prune(
      fence,
      (one) =>
        one.user_id === user_id &&
        (one.organisation_id === organisation_id || one.organisation_id === null) &&
        (changes === 'done' || !this.#isOutsideLists(one, received)),
    )
    return result
  }

  /** Brings one partition, all its pages. Undefined when it could not be read. */
  async pullPartition(
    replica: Replica,
    name: string,
    partition: string,
  ): Promise<true | undefined> {
    const source = this.#sources.parts[name]
    if (!source) throw new Error(`Nothing brings ${name}.`)
    const fence = await this.#outbox.fence()
    const result = await this.#pullPages(replica, source.call, source.input(partition), (records) =>
      this.#store(replica, { put: { [name]: records }, deleted: [] }),
    )
    if (result !== 'done') return undefined
    await this.#outbox.prune(fence, (one) => {
      const location = this.#sources.partOf(one)
      return (
        one.user_id === replica.scope.user_id &&
        location?.name === name &&
        location.partition === partition
      )
    })
    return true
  }

  /** Whether the server knows no `changes`, so that partitions must be read one by one. */
  get usesLists(): boolean {
    return this.#usesLists
  }

  /** Where on the device the copy of what an operation did may have landed. */
  changesOf(operation: Pick<Operation, 'endpoint' | 'input'>): ChangedIds {
    const policy = this.#ports.calls[operation.endpoint]?.offlinePolicy
    const { input } = operation
    const ids = [policy?.creates?.(input), ...(policy?.references?.(input) ?? [])].filter(
      (id) => typeof id === 'string',
    )
    const names = Object.keys(this.#sources.lists).filter((name) => !this.#partitions[name])
    const changed: ChangedIds = Object.fromEntries(
      names.map((name) => [name, { ids, partitions: [] }]),
    )
    const location = this.#sources.partOf(operation)
    if (location) changed[location.name] = { ids: [], partitions: [location.partition] }
    return changed
  }

  async #pullPages(
    replica: Replica,
    call: ApiCall,
    input: CallInput,
    store: (records: ReplicaRecord[]) => Promise<boolean>,
  ): Promise<PullResult | 'not-there'> {
    for (let page = 1, last = 1; page <= last; page += 1) {
      const query = { ...input.query, page, per_page: PAGE_SIZE }
      const outcome = await this.#http.call(call, { ...input, query }, { caller: replica.scope })
      if (outcome.kind === 'busy') return 'unreachable'
      if (outcome.kind === 'refused' && outcome.error.status === 404) return 'not-there'
      if (outcome.kind !== 'answered') return outcome.kind
      const { data, meta } = outcome.value as ListPage
      last = meta?.last_page ?? 1
      if (!(await store(data))) return 'unreachable'
    }
    return 'done'
  }

  /** Resolves to an object where the lists have to do: whole up to `listed`, where that is known. */
  async #pullChanges(replica: Replica): Promise<PullResult | { listed: number | undefined }> {
    let cursor = await replica.cursor()
    const isRequested = cursor.all
    /** What the device says of its copy. */
    let from = cursor
    /** Set while all is read anew: what does not come along is gone on the server. */
    let received: IdSet | undefined
    for (;;) {
      const deferred = !received && !isRequested && this.isDeferred(cursor)
      const outcome = await this.#http.call(
        this.#sources.changes,
        { query: { since: (deferred ? cursor.listed : undefined) ?? cursor.since } },
        { caller: replica.scope },
      )
      if (outcome.kind === 'refused' && outcome.error.status === 404) {
        this.#usesLists = true
        return USE_LISTS
      }
      if (outcome.kind === 'refused' && outcome.error.status === 410 && !received) {
        received = new IdSet()
        cursor = { ...cursor, since: 0 }
        continue
      }
      if (outcome.kind === 'busy') return 'unreachable'
      if (outcome.kind !== 'answered') return outcome.kind
      const { data, version, more, latest } = outcome.value as ChangesPage
      const { deleted, ...put } = data
      received?.addAll(put)
      const last = !more
      const synced_at = last ? this.#ports.clock.now() : cursor.synced_at
      cursor =
        deferred && cursor.listed !== undefined
          ? { ...cursor, synced_at, latest, listed: version }
          : { since: version, whole: cursor.whole || last, synced_at, latest }
      // In one transaction with the end of the pass, or a kill could leave the device with ghosts.
      if (received && last)
        deleted.push(...(await missingIds(replica, received, received.collections())))
      // A pass over everything is only worth resuming when it is the first one.
      const to = received && more ? undefined : cursor
      if (!(await this.#store(replica, { put, deleted, reset: Boolean(received) }, { from, to })))
        return 'unreachable'
      if (to) from = to
      if (last) return 'done'
      if (deferred && cursor.listed === undefined) return { listed: latest }
    }
  }

  /** Whether the first whole download is put off, to spare a network that is dear. */
  isDeferred({ whole, all }: SyncCursor): boolean {
    return !whole && !all && this.#ports.network.saveData()
  }

  /** Whether the lists do not show what an operation did, but a part of a record that they still have. */
  #isOutsideLists(operation: Operation, received: IdSet): boolean {
    const location = this.#sources.partOf(operation)
    return (
      location !== undefined &&
      received.has(this.#partitions[location.name]?.of ?? '', location.partition)
    )
  }

  async #pullLists(
    replica: Replica,
    received: IdSet,
    listed: number | undefined,
  ): Promise<PullResult> {
    const names = Object.keys(this.#sources.lists)
    const from = await replica.cursor()
    for (const [name, call] of Object.entries(this.#sources.lists)) {
      const result = await this.#pullPages(replica, call, {}, (records) => {
        received.addAll({ [name]: records })
        return this.#store(replica, { put: { [name]: records }, deleted: [] }, { from })
      })
      // A server that knows no such records has none.
      if (result !== 'done' && result !== 'not-there') return result
    }
    const deleted = await missingIds(replica, received, names)
    const to: SyncCursor = { ...from, synced_at: this.#ports.clock.now(), listed }
    const stored = await this.#store(replica, { put: {}, deleted }, { from, to })
    return stored ? 'done' : 'unreachable'
  }

  async #store(replica: Replica, delta: Delta, advance?: CursorUpdate): Promise<boolean> {
    const changed = await replica.apply(delta, advance)
    if (!changed) return false
    await this.#onStored(replica, changed)
    return true
  }
}

const USE_LISTS = { listed: undefined }

/** Ids by collection. */
class IdSet {
  readonly #ids = new Map<string, Set<string>>()

  addAll(put: Record<string, ReplicaRecord[]>): void {
    for (const [name, records] of Object.entries(put)) {
      const ids = this.#ids.get(name) ?? new Set<string>()
      this.#ids.set(name, ids)
      for (const { id } of records) ids.add(id)
    }
  }

  has(name: string, id: string): boolean {
    return this.#ids.get(name)?.has(id) ?? false
  }

  collections(): string[] {
    return [...this.#ids.keys()]
  }
}

/** What the device has of those collections, and a pass over all of them did not bring. */
async function missingIds(
  replica: Replica,
  received: IdSet,
  names: readonly string[],
): Promise<Delta['deleted']> {
  const missing: Delta['deleted'] = []
  for (const name of names)
    for (const { id } of (await replica.collection(name)) ?? [])
      if (!received.has(name, id)) missing.push({ type: name, id })
  return missing
}
