// The whole organisation on the device: `changes` after what is already here, page by page, so that
// a plan never opened before opens in the air. A server without `changes` is read by its lists.
import {
  isSame,
  type Advance,
  type Cache,
  type CachedRecord,
  type Delta,
  type Partitions,
  type Progress,
} from './cache.ts'
import type { Http } from './http.ts'
import type { Operation } from './operation.ts'
import type { Outbox } from './outbox.ts'
import type { Call, CallInput, Ports, Touched } from './ports.ts'

const LOCK = 'cairn-download'
/** How long another context may go without any progress before it is taken for frozen. Milliseconds. */
const PATIENCE = 60_000
const PER_PAGE = 500

/** One page of `changes`, as the table's call reads it. */
interface ChangesPage {
  data: Record<string, CachedRecord[]> & { deleted: { type: string; id: string }[] }
  version: number
  more: boolean
  latest?: number | undefined
}

interface ListPage {
  data: CachedRecord[]
  meta: { last_page: number } | null
}

/** Which calls bring an organisation to the device. */
export interface Sources {
  changes: Call
  /** By collection, for servers that answer 404 to `changes`. */
  lists: Record<string, Call>
  /** By partitioned collection: what brings one partition. */
  parts: Record<string, { call: Call; input: (partition: string) => CallInput }>
  /** Which partition shows what an operation did; undefined when the lists show it. */
  partOf(
    operation: Pick<Operation, 'endpoint' | 'input'>,
  ): { name: string; partition: string } | undefined
}

export type Pulled = 'done' | 'unreachable' | 'refused' | 'signed-out'

export class Download {
  readonly #ports: Ports
  readonly #http: Http
  readonly #outbox: Outbox
  readonly #sources: Sources
  readonly #partitions: Partitions
  readonly #landed: (cache: Cache, touched: Touched) => Promise<void>
  #listsOnly = false

  /** `landed` hears of each page that is on the device, and puts it on the screens. */
  constructor(
    ports: Ports,
    http: Http,
    outbox: Outbox,
    { sources, partitions }: { sources: Sources; partitions: Partitions },
    landed: (cache: Cache, touched: Touched) => Promise<void>,
  ) {
    this.#ports = ports
    this.#http = http
    this.#outbox = outbox
    this.#sources = sources
    this.#partitions = partitions
    this.#landed = landed
  }

  /**
   * Brings the copy up to date, in one context at a time, going on where the last one stopped. One
   * that makes no progress for a minute is overtaken: should it wake up, what it brings is refused.
   */
  async pull(cache: Cache): Promise<Pulled> {
    const { locks } = this.#ports
    const name = `${LOCK}-${cache.scope.organisation_id}`
    const work = () => this.#pullAlone(cache)
    const before = await cache.progress()
    let held = await locks.hold(name, { patience: PATIENCE }, work)
    if (!held && isSame(before, await cache.progress()))
      held = await locks.hold(name, { patience: 1, steal: true }, work)
    return held?.value ?? 'unreachable'
  }

  async #pullAlone(cache: Cache): Promise<Pulled> {
    const tick = await this.#outbox.tick()
    const pulled = this.#listsOnly ? LISTS : await this.#byChanges(cache)
    const seen = new Seen()
    const result =
      typeof pulled === 'object' ? await this.#byLists(cache, seen, pulled.listed) : pulled
    if (result !== 'done') return result
    const { user_id, organisation_id } = cache.scope
    // The copy is on the screens by now, so what it covers may leave the outbox.
    await this.#outbox.settle(
      tick,
      (one) =>
        one.user_id === user_id &&
        (one.organisation_id === organisation_id || one.organisation_id === null) &&
        (pulled === 'done' || !this.#isElsewhere(one, seen)),
    )
    return result
  }

  /** Brings one partition, all its pages. Undefined when it could not be read. */
  async pullPart(cache: Cache, name: string, partition: string): Promise<true | undefined> {
    const source = this.#sources.parts[name]
    if (!source) throw new Error(`Nothing brings ${name}.`)
    const tick = await this.#outbox.tick()
    const read = await this.#pages(cache, source.call, source.input(partition), (records) =>
      this.#land(cache, { put: { [name]: records }, deleted: [] }),
    )
    if (read !== 'done') return undefined
    await this.#outbox.settle(tick, (one) => {
      const part = this.#sources.partOf(one)
      return (
        one.user_id === cache.scope.user_id && part?.name === name && part.partition === partition
      )
    })
    return true
  }

  /** Whether the server knows no `changes`, so that partitions must be read one by one. */
  get listsOnly(): boolean {
    return this.#listsOnly
  }

  /** Where on the device the copy of what an operation did may have landed. */
  touchedBy(operation: Pick<Operation, 'endpoint' | 'input'>): Touched {
    const queueing = this.#ports.calls[operation.endpoint]?.queueing
    const { input } = operation
    const ids = [queueing?.creates?.(input), ...(queueing?.mentions?.(input) ?? [])].filter(
      (id) => typeof id === 'string',
    )
    const names = Object.keys(this.#sources.lists).filter((name) => !this.#partitions[name])
    const touched: Touched = Object.fromEntries(
      names.map((name) => [name, { ids, partitions: [] }]),
    )
    const part = this.#sources.partOf(operation)
    if (part) touched[part.name] = { ids: [], partitions: [part.partition] }
    return touched
  }

  async #pages(
    cache: Cache,
    call: Call,
    input: CallInput,
    land: (records: CachedRecord[]) => Promise<boolean>,
  ): Promise<Pulled | 'not-there'> {
    for (let page = 1, last = 1; page <= last; page += 1) {
      const query = { ...input.query, page, per_page: PER_PAGE }
      const outcome = await this.#http.call(call, { ...input, query }, { caller: cache.scope })
      if (outcome.kind === 'busy') return 'unreachable'
      if (outcome.kind === 'refused' && outcome.error.status === 404) return 'not-there'
      if (outcome.kind !== 'answered') return outcome.kind
      const { data, meta } = outcome.value as ListPage
      last = meta?.last_page ?? 1
      if (!(await land(data))) return 'unreachable'
    }
    return 'done'
  }

  /** Resolves to an object where the lists have to do: whole up to `listed`, where that is known. */
  async #byChanges(cache: Cache): Promise<Pulled | { listed: number | undefined }> {
    let progress = await cache.progress()
    /** What the device says of its copy. */
    let from = progress
    /** Set while all is read anew: what does not come along is gone on the server. */
    let seen: Seen | undefined
    for (;;) {
      const spares = !seen && this.spares(progress)
      const outcome = await this.#http.call(
        this.#sources.changes,
        { query: { since: (spares ? progress.listed : undefined) ?? progress.since } },
        { caller: cache.scope },
      )
      if (outcome.kind === 'refused' && outcome.error.status === 404) {
        this.#listsOnly = true
        return LISTS
      }
      if (outcome.kind === 'refused' && outcome.error.status === 410 && !seen) {
        seen = new Seen()
        progress = { ...progress, since: 0 }
        continue
      }
      if (outcome.kind === 'busy') return 'unreachable'
      if (outcome.kind !== 'answered') return outcome.kind
      const { data, version, more, latest } = outcome.value as ChangesPage
      const { deleted, ...put } = data
      seen?.note(put)
      const last = !more
      const synced_at = last ? this.#ports.clock.now() : progress.synced_at
      progress =
        spares && progress.listed !== undefined
          ? { ...progress, synced_at, latest, listed: version }
          : { since: version, whole: progress.whole || last, synced_at, latest }
      // In one transaction with the end of the pass, or a kill could leave the device with ghosts.
      if (seen && last) deleted.push(...(await unseen(cache, seen, seen.names())))
      // A pass over everything is only worth resuming when it is the first one.
      const to = seen && more ? undefined : progress
      if (!(await this.#land(cache, { put, deleted, anew: Boolean(seen) }, { from, to })))
        return 'unreachable'
      if (to) from = to
      if (last) return 'done'
      if (spares && progress.listed === undefined) return { listed: latest }
    }
  }

  /** Whether the first whole download is put off, to spare a network that is dear. */
  spares({ whole, all }: Progress): boolean {
    return !whole && !all && this.#ports.network.sparing()
  }

  /** Whether the lists do not show what an operation did, but a part of a record that they still have. */
  #isElsewhere(operation: Operation, seen: Seen): boolean {
    const part = this.#sources.partOf(operation)
    return part !== undefined && seen.has(this.#partitions[part.name]?.of ?? '', part.partition)
  }

  async #byLists(cache: Cache, seen: Seen, listed: number | undefined): Promise<Pulled> {
    const names = Object.keys(this.#sources.lists)
    const from = await cache.progress()
    for (const [name, call] of Object.entries(this.#sources.lists)) {
      const read = await this.#pages(cache, call, {}, (records) => {
        seen.note({ [name]: records })
        return this.#land(cache, { put: { [name]: records }, deleted: [] }, { from })
      })
      // A server that knows no such records has none.
      if (read !== 'done' && read !== 'not-there') return read
    }
    const deleted = await unseen(cache, seen, names)
    const to: Progress = { ...from, synced_at: this.#ports.clock.now(), listed }
    const landed = await this.#land(cache, { put: {}, deleted }, { from, to })
    return landed ? 'done' : 'unreachable'
  }

  async #land(cache: Cache, delta: Delta, advance?: Advance): Promise<boolean> {
    const touched = await cache.apply(delta, advance)
    if (!touched) return false
    await this.#landed(cache, touched)
    return true
  }
}

const LISTS = { listed: undefined }

/** Ids by collection. */
class Seen {
  readonly #ids = new Map<string, Set<string>>()

  note(put: Record<string, CachedRecord[]>): void {
    for (const [name, records] of Object.entries(put)) {
      const ids = this.#ids.get(name) ?? new Set<string>()
      this.#ids.set(name, ids)
      for (const { id } of records) ids.add(id)
    }
  }

  has(name: string, id: string): boolean {
    return this.#ids.get(name)?.has(id) ?? false
  }

  names(): string[] {
    return [...this.#ids.keys()]
  }
}

/** What the device has of those collections, and a pass over all of them did not bring. */
async function unseen(
  cache: Cache,
  seen: Seen,
  names: readonly string[],
): Promise<Delta['deleted']> {
  const gone: Delta['deleted'] = []
  for (const name of names)
    for (const { id } of (await cache.collection(name)) ?? [])
      if (!seen.has(name, id)) gone.push({ type: name, id })
  return gone
}
