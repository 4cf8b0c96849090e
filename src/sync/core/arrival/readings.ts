// Complete readings of collections, in which looks search for what an operation has created. One context makes
// them for all its operations.
import type { Http } from '../api/http.ts'
import { MAX_DELAY_MS, type Operation } from '../operation.ts'
import type { Ports } from '../ports.ts'
import { readList, type PullEndpoints } from '../pull/list-pull.ts'
import type { ReplicaRecord, Scope } from '../replica.ts'
import { slowBackoff } from '../replay/keyed.ts'
import { answersOthers } from '../replay/stuck.ts'

export interface Reading {
  /** Device clock, epoch milliseconds. */
  began: number
  records: readonly ReplicaRecord[]
  /** A record of it could not be read. */
  hasUnread: boolean
}

/** Where an operation's record is read. */
export interface Place {
  name: string
  /** Undefined for a collection that is read as a whole. */
  partition: string | undefined
}

/** The server answers other readings, but not this one, which is not repeated before `until`, in epoch milliseconds. */
export interface FailedReading {
  kind: 'failed'
  until: number
  /** Nothing was requested this time, before `until`. */
  isEarlier?: true
}

/** Undefined when the server refuses it. */
type ReadingResult = Reading | FailedReading | undefined | 'unreachable'

/** Whether the collection was read. */
export const isReading = (result: ReadingResult): result is Reading =>
  typeof result === 'object' && 'records' in result

/** Whose records an operation concerns. */
export const scopeOf = ({ user_id, organisation_id }: Operation): Scope => ({
  user_id,
  organisation_id: organisation_id ?? '',
})

const keyOf = (operation: Operation, place: Place): string =>
  JSON.stringify([scopeOf(operation), place.name, place.partition])

/** Reads collections, and keeps the last complete reading of each. */
export class Readings {
  readonly #ports: Ports
  readonly #http: Http
  readonly #sources: Pick<PullEndpoints, 'lists' | 'parts'>
  readonly #last = new Map<string, Reading>()
  readonly #running = new Map<string, { began: number; result: Promise<ReadingResult> }>()
  /** The last reading of a list, where it failed, and how many have in a row. */
  readonly #failed = new Map<string, FailedReading & { count: number }>()
  /** What was read, or is, before first attempts. */
  readonly #before = new Map<string, { began: number; result: Promise<ReadingResult> }>()
  #lastNow = -Infinity

  constructor(ports: Ports, http: Http, sources: Pick<PullEndpoints, 'lists' | 'parts'>) {
    this.#ports = ports
    this.#http = http
    this.#sources = sources
  }

  /**
   * The device's clock. When it was set back, nothing tells any more whether a reading was before an attempt or
   * after it: readings are forgotten.
   */
  now(): number {
    const now = this.#ports.clock.now()
    if (now < this.#lastNow) {
      this.#last.clear()
      this.#running.clear()
      this.#before.clear()
      this.#failed.clear()
    }
    this.#lastNow = now
    return now
  }

  /** The last one that was shared. */
  last(operation: Operation, place: Place): Reading | undefined {
    return this.#last.get(keyOf(operation, place))
  }

  /** A reading that began after the last attempt of the operation: shared with other looks, also while it runs. */
  async read(operation: Operation, place: Place): Promise<ReadingResult> {
    const key = keyOf(operation, place)
    const began = this.now()
    const running = this.#running.get(key)
    if (running && running.began > (operation.attempt?.at ?? began)) return await running.result
    const result = this.#readAlone(operation, place)
    this.#running.set(key, { began, result })
    const reading = await result.finally(() => {
      if (this.#running.get(key)?.result === result) this.#running.delete(key)
    })
    if (isReading(reading)) this.#last.set(key, reading)
    return reading
  }

  /**
   * A reading before the first attempt of an operation. Those that were made before it began share it for as long as
   * `interval`, in milliseconds; a look needs one that begins after its attempt.
   */
  async readBefore(operation: Operation, place: Place, interval: number): Promise<ReadingResult> {
    const key = keyOf(operation, place)
    const now = this.now()
    const shared = this.#before.get(key)
    const isNew = shared && shared.began >= Date.parse(operation.created_at)
    if (isNew && now - shared.began < interval) return await shared.result
    const result = this.#readAlone(operation, place)
    this.#before.set(key, { began: now, result })
    const reading = await result.catch(() => undefined)
    if (!isReading(reading) && this.#before.get(key)?.result === result) this.#before.delete(key)
    return await result
  }

  /**
   * The result of a reading that was answered, though not as agreed, `count` times in a row. Where no other call is
   * answered either, the cause is the network or the whole server.
   */
  async failure(
    operation: Operation,
    count: number,
    retryAfterMs = 0,
  ): Promise<FailedReading | 'unreachable'> {
    const caller = scopeOf(operation)
    if (!(await answersOthers(this.#http, this.#ports.calls, caller))) return 'unreachable'
    const delayMs = Math.max(retryAfterMs, slowBackoff(count, this.#ports.random.fraction()))
    return { kind: 'failed', until: this.now() + Math.min(delayMs, MAX_DELAY_MS) }
  }

  async #readAlone(operation: Operation, place: Place): Promise<ReadingResult> {
    const { name, partition } = place
    const { lists, parts } = this.#sources
    const part = partition === undefined ? undefined : parts[name]
    const call = part?.call ?? lists[name]
    if (!call) return undefined
    const input = part && partition !== undefined ? part.input(partition) : {}
    // A page may repeat what one before it had.
    const records = new Map<string, ReplicaRecord>()
    let hasUnread = false
    const key = keyOf(operation, place)
    const began = this.now()
    const before = this.#failed.get(key)
    if (before && began < before.until)
      return { kind: 'failed', until: before.until, isEarlier: true }
    const result = await readList(this.#http, scopeOf(operation), call, input, async (page) => {
      for (const one of page.records) records.set(one.id, one)
      hasUnread ||= page.unread.length > 0
      return true
    })
    if (result.kind === 'absent' || result.kind === 'endless') return undefined
    if (result.kind === 'done') {
      this.#failed.delete(key)
      return { began, records: [...records.values()], hasUnread }
    }
    const isBusy = result.kind === 'busy'
    if (!isBusy && (result.kind !== 'unreachable' || !result.notUnderstood)) return 'unreachable'
    const count = (before?.count ?? 0) + 1
    const failure = await this.failure(operation, count, isBusy ? result.retryAfterMs : undefined)
    if (failure !== 'unreachable') this.#failed.set(key, { ...failure, count })
    return failure
  }
}
