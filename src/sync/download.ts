// The whole organisation on the device: `changes` after what is already here, page by page, so that
// a plan never opened before opens in the air. A server without `changes` is read by its lists.
import type { Advance, Cache, CachedRecord, Delta, Partitions, Progress } from './cache.ts'
import type { Http } from './http.ts'
import type { Operation } from './operation.ts'
import type { Outbox } from './outbox.ts'
import type { Call, CallInput, Ports, Touched } from './ports.ts'

const LOCK = 'cairn-download'
const PATIENCE = 60_000
const PER_PAGE = 500

/** One page of `changes`, as the table's call reads it. */
interface ChangesPage {
  data: Record<string, CachedRecord[]> & { deleted: { type: string; id: string }[] }
  version: number
  more: boolean
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

  /** Brings the copy up to date, in one context at a time, going on where the last one stopped. */
  async pull(cache: Cache): Promise<Pulled> {
    const held = await this.#ports.locks.hold(
      `${LOCK}-${cache.scope.organisation_id}`,
      { patience: PATIENCE },
      async () => {
        const tick = await this.#outbox.tick()
        const pulled = this.#listsOnly ? 'lists' : await this.#byChanges(cache)
        const result = pulled === 'lists' ? await this.#byLists(cache) : pulled
        if (result !== 'done') return result
        const { user_id, organisation_id } = cache.scope
        // The copy is on the screens by now, so what it covers may leave the outbox.
        await this.#outbox.settle(
          tick,
          (one) =>
            one.user_id === user_id &&
            (one.organisation_id === organisation_id || one.organisation_id === null) &&
            (pulled === 'done' || !this.#sources.partOf(one)),
        )
        return result
      },
    )
    return held?.value ?? 'unreachable'
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
  ): Promise<Pulled> {
    for (let page = 1, last = 1; page <= last; page += 1) {
      const query = { ...input.query, page, per_page: PER_PAGE }
      const outcome = await this.#http.call(call, { ...input, query }, { caller: cache.scope })
      if (outcome.kind === 'busy') return 'unreachable'
      if (outcome.kind !== 'answered') return outcome.kind
      const { data, meta } = outcome.value as ListPage
      last = meta?.last_page ?? 1
      if (!(await land(data))) return 'signed-out'
    }
    return 'done'
  }

  async #byChanges(cache: Cache): Promise<Pulled | 'lists'> {
    let progress = await cache.progress()
    /** The version up to which the device says that its copy is whole. */
    let stored = progress.since
    /** Set while all is read anew: what does not come along is gone on the server. */
    let seen: Seen | undefined
    for (;;) {
      const outcome = await this.#http.call(
        this.#sources.changes,
        { query: { since: progress.since } },
        { caller: cache.scope },
      )
      if (outcome.kind === 'refused' && outcome.error.status === 404) {
        this.#listsOnly = true
        return 'lists'
      }
      if (outcome.kind === 'refused' && outcome.error.status === 410 && !seen) {
        seen = new Seen()
        progress = { ...progress, since: 0 }
        continue
      }
      if (outcome.kind === 'busy') return 'unreachable'
      if (outcome.kind !== 'answered') return outcome.kind
      const { data, version, more } = outcome.value as ChangesPage
      const { deleted, ...put } = data
      seen?.note(put)
      const last = !more
      const from = stored
      progress = {
        since: version,
        whole: progress.whole || last,
        synced_at: last ? this.#ports.clock.now() : progress.synced_at,
      }
      // A pass over everything is only worth resuming when it is the first one.
      const to = seen && more ? undefined : progress
      if (!(await this.#land(cache, { put, deleted, anew: Boolean(seen) }, { from, to })))
        return 'unreachable'
      if (to) stored = to.since
      if (more) continue
      if (seen) await this.#forgetUnseen(cache, seen)
      return 'done'
    }
  }

  async #byLists(cache: Cache): Promise<Pulled> {
    const seen = new Seen()
    for (const [name, call] of Object.entries(this.#sources.lists)) {
      const read = await this.#pages(cache, call, {}, (records) => {
        seen.note({ [name]: records })
        return this.#land(cache, { put: { [name]: records }, deleted: [] })
      })
      if (read !== 'done') return read
    }
    await this.#forgetUnseen(cache, seen, Object.keys(this.#sources.lists))
    const before = await cache.progress()
    const to: Progress = { ...before, synced_at: this.#ports.clock.now() }
    const landed = await this.#land(cache, NOTHING, { from: before.since, to })
    return landed ? 'done' : 'unreachable'
  }

  async #forgetUnseen(cache: Cache, seen: Seen, names = seen.names()): Promise<void> {
    const deleted: Delta['deleted'] = []
    for (const name of names)
      for (const { id } of (await cache.collection(name)) ?? [])
        if (!seen.has(name, id)) deleted.push({ type: name, id })
    await this.#land(cache, { put: {}, deleted })
  }

  async #land(cache: Cache, delta: Delta, advance?: Advance): Promise<boolean> {
    const touched = await cache.apply(delta, advance)
    if (!touched) return false
    await this.#landed(cache, touched)
    return true
  }
}

const NOTHING: Delta = { put: {}, deleted: [] }

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
