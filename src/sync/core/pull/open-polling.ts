// Reads what is open on a screen again, at a server that does not announce changes: a little each time, so that an
// idle page causes little load. A long list is read page by page, over several rounds. In turn with it the updates
// of the user's own open plans are read, and of those without an owner, so that they are there offline without having
// been opened.
import { isOwnOpen, ownersOf } from '../../../../contract/own-parts.ts'
import type { Http } from '../api/http.ts'
import type { ApiCall, CallInput } from '../ports.ts'
import type { Replica, ReplicaRecord } from '../replica.ts'
import type { PullScheduler } from './pull-scheduler.ts'
import type { PullEndpoints } from './list-pull.ts'
import type { Puller } from './puller.ts'
import { beginReading, readPages, type ListReading } from './list-pull.ts'

/** What a screen shows: a collection, a partition of one, or a record. `key`: the id of the latter two. */
export interface OpenView {
  kind: 'collection' | 'partition' | 'record'
  name: string
  key: string
}

/** Requests of a round. With an expired token they become four: a refresh, and one that is repeated. */
const MAX_REQUESTS = 2
/** Every so many rounds one part is read that is not open, and always where nothing is. */
const OWN_ROUNDS = 3

interface OpenPollingOptions {
  http: Http
  puller: Puller
  pullScheduler: PullScheduler
  sources: PullEndpoints
}

/** Polls for one page. */
export class OpenPolling {
  readonly #options: OpenPollingOptions
  #round = 0
  /** By view: the round in which it was read last. */
  readonly #polled = new Map<string, number>()
  readonly #readings = new Map<string, ListReading>()
  /** By view of a partition: see `beginPart`. */
  readonly #ends = new Map<string, Awaited<ReturnType<Puller['beginPart']>>>()

  constructor(options: OpenPollingOptions) {
    this.#options = options
  }

  /**
   * Reads a part of what is open, first what was not read for longest. Nothing counts as gone because it was
   * not read. Rejects when storage fails.
   */
  async poll(replica: Replica, open: readonly OpenView[]): Promise<void> {
    this.#round += 1
    const lastRound = (view: OpenView) => this.#polled.get(keyOf(replica, view)) ?? 0
    let left = MAX_REQUESTS
    if (open.length === 0 || this.#round % OWN_ROUNDS === 0)
      left -= await this.#readOwn(replica, lastRound)
    for (const view of open.toSorted((a, b) => lastRound(a) - lastRound(b))) {
      if (left <= 0) return
      const requests = await this.#read(replica, view, left)
      if (requests > 0) this.#polled.set(keyOf(replica, view), this.#round)
      left -= requests
    }
  }

  /**
   * Reads the part of the user's own open records that was not read for longest; resolves to the number of
   * requests. One that takes more than a round has is left until it is opened.
   */
  async #readOwn(replica: Replica, lastRound: (view: OpenView) => number): Promise<number> {
    const { http, puller, sources } = this.#options
    const views: OpenView[] = []
    for (const name of Object.keys(sources.parts)) {
      const owners = (await replica.collection(ownersOf(name))) ?? []
      for (const one of owners)
        if (isOwnOpen(ownersOf(name), one, replica.scope.user_id))
          views.push({ kind: 'partition', name, key: one.id })
    }
    const [view] = views.toSorted((a, b) => lastRound(a) - lastRound(b))
    const part = view && sources.parts[view.name]
    if (!part) return 0
    this.#polled.set(keyOf(replica, view), this.#round)
    const fence = await puller.fence(view.name)
    const end = await puller.beginPart(replica, view.name, view.key)
    const { query, ...input } = part.input(view.key)
    const records: ReplicaRecord[] = []
    let requests = 0
    const result = await readPages(
      async (page) => {
        if (requests === MAX_REQUESTS) return { kind: 'unreachable' }
        requests += 1
        const asked = { ...input, query: { ...query, ...page } }
        return await http.call(part.call, asked, { caller: replica.scope })
      },
      async (page) => {
        records.push(...page.records)
        return page.unread.length === 0
      },
    )
    // A part of them would be taken for all.
    if (result.kind !== 'done') return requests
    await this.#store(replica, view.name, records, fence)
    await end(result.ids)
    return requests
  }

  /** Reads at most `left` pages of a view; resolves to the number of requests. */
  async #read(replica: Replica, view: OpenView, left: number): Promise<number> {
    const { puller, pullScheduler, sources } = this.#options
    const { kind, name, key } = view
    if (kind === 'record') {
      const single = sources.records[name]
      return single ? await this.#readRecord(replica, name, single.call, single.input(key)) : 0
    }
    const part = kind === 'partition' ? sources.parts[name] : undefined
    const call = part?.call ?? sources.lists[name]
    if (!call || !this.#options.http.capabilities.allows(call)) return 0
    const before = this.#readings.get(keyOf(replica, view))
    // A server that refuses the size of pages is asked twice the first time that it answers.
    if ((before?.page ?? 1) === 1 && left < 2) return 0
    // As a whole where that is one request: then operations that have arrived leave the outbox, too.
    if (part && before?.isDone && before.page === 2 && before.size.per_page !== undefined) {
      if (await pullScheduler.pullPartition(replica, name, key, 1)) return 1
      // It may have more pages by now.
      this.#readings.delete(keyOf(replica, view))
      return left
    }
    const reading = before && !before.isDone ? before : beginReading(before?.size)
    this.#readings.set(keyOf(replica, view), reading)
    if (part && reading.page === 1)
      this.#ends.set(keyOf(replica, view), await puller.beginPart(replica, name, key))
    return await this.#readPages(replica, view, reading, left, call, part?.input(key) ?? {})
  }

  async #readPages(
    replica: Replica,
    view: OpenView,
    reading: ListReading,
    left: number,
    call: ApiCall,
    input: CallInput,
  ): Promise<number> {
    let requests = 0
    let fence = 0
    const result = await readPages(
      async (query) => {
        requests += 1
        fence = await this.#options.puller.fence(view.name)
        const asked = { ...input, query: { ...input.query, ...query } }
        return await this.#options.http.call(call, asked, { caller: replica.scope })
      },
      async ({ records }) => {
        await this.#store(replica, view.name, records, fence)
        return requests < left
      },
      reading,
    )
    if (result.kind === 'done') await this.#ends.get(keyOf(replica, view))?.(result.ids)
    return requests
  }

  async #readRecord(
    replica: Replica,
    name: string,
    call: ApiCall,
    input: CallInput,
  ): Promise<number> {
    const fence = await this.#options.puller.fence(name)
    const outcome = await this.#options.http.call(call, input, { caller: replica.scope })
    // What is not answered stays as it is.
    if (outcome.kind === 'answered')
      await this.#store(replica, name, [outcome.value as ReplicaRecord], fence)
    return 1
  }

  async #store(
    replica: Replica,
    name: string,
    records: ReplicaRecord[],
    replaces: number,
  ): Promise<void> {
    const delta = { put: { [name]: records }, deleted: [], replaces }
    await this.#options.puller.store(replica, delta)
  }
}

const keyOf = ({ scope }: Replica, { kind, name, key }: OpenView): string =>
  JSON.stringify([scope.user_id, scope.organisation_id, kind, name, key])
