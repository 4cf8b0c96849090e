// What is open on a screen is read again at a server that announces no changes: a little each time, so that a
// page at rest is no burden. A long list is read page by page, over several rounds.
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
    for (const view of open.toSorted((a, b) => lastRound(a) - lastRound(b))) {
      if (left <= 0) return
      const requests = await this.#read(replica, view, left)
      if (requests > 0) this.#polled.set(keyOf(replica, view), this.#round)
      left -= requests
    }
  }

  /** Reads at most `left` pages of a view; resolves to the number of requests. */
  async #read(replica: Replica, view: OpenView, left: number): Promise<number> {
    const { sources } = this.#options
    const { kind, name, key } = view
    if (kind === 'record') {
      const single = sources.records[name]
      return single ? await this.#readRecord(replica, name, single.call, single.input(key)) : 0
    }
    const part = kind === 'partition' ? sources.parts[name] : undefined
    const call = part?.call ?? sources.lists[name]
    if (!call || !this.#options.http.capabilities.allows(call)) return 0
    const before = this.#readings.get(keyOf(replica, view))
    // A server that refuses the size of pages is asked twice the first time.
    if (!before && left < 2) return 0
    // As a whole where that is one request: then operations that have arrived leave the outbox, too.
    if (part && before?.isDone && before.page === 2 && before.size.per_page !== undefined) {
      const { pullScheduler } = this.#options
      if (await pullScheduler.pullPartition(replica, name, key, left)) return 1
      // It may have more pages by now.
      this.#readings.delete(keyOf(replica, view))
      return left
    }
    const reading = before && !before.isDone ? before : beginReading(before?.size)
    this.#readings.set(keyOf(replica, view), reading)
    return await this.#readPages(replica, name, reading, left, call, part?.input(key) ?? {})
  }

  async #readPages(
    replica: Replica,
    name: string,
    reading: ListReading,
    left: number,
    call: ApiCall,
    input: CallInput,
  ): Promise<number> {
    let requests = 0
    let fence = 0
    await readPages(
      async (query) => {
        requests += 1
        fence = await this.#options.puller.fence(name)
        const asked = { ...input, query: { ...input.query, ...query } }
        return await this.#options.http.call(call, asked, { caller: replica.scope })
      },
      async ({ records }) => {
        await this.#store(replica, name, records, fence)
        return requests < left
      },
      reading,
    )
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
