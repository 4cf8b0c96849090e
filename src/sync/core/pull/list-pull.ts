// Reads lists to their end, whatever pagination the server has, and finds out which records are gone.
import type { UnreadValue } from '../../../../contract/schemas/read-records.ts'
import type { Http } from '../api/http.ts'
import type { Outcome } from '../api/outcome.ts'
import type { Operation, OperationError } from '../operation.ts'
import type { ApiCall, CallInput } from '../ports.ts'
import type { Delta, Replica, ReplicaRecord } from '../replica.ts'
import type { Caller } from '../session.ts'
import {
  addReceived,
  goneRecords,
  missingRecords,
  type Received,
  type RecordId,
} from './gone-records.ts'
import type { ReadReporter } from './read-report.ts'

const PAGE_SIZE = 500
/** A list that has no end is left after this many. */
const MAX_PAGES = 10_000
/** After as many lists in a row without an answer it may be the network. */
const MAX_UNANSWERED = 2
/** Its endpoint is not there, or not for this user: a retry does not change it. */
const ABSENT_STATUSES = new Set([401, 403, 404, 405, 501])

/** The calls that read an organisation. */
export interface PullEndpoints {
  changes: ApiCall
  /** By collection; used when the server has no `changes`. */
  lists: Record<string, ApiCall>
  /** By collection: the call that reads one record; none where only lists have it. */
  records: Record<string, { call: ApiCall; input: (id: string) => CallInput }>
  /** Collections that a server of the specification may lack. */
  optional: ReadonlySet<string>
  /** By partitioned collection: the call that reads one partition. */
  parts: Record<string, { call: ApiCall; input: (partition: string) => CallInput }>
  /** The collection that an operation writes to; undefined when it writes to none. */
  collectionOf(operation: Pick<Operation, 'endpoint'>): string | undefined
  /** The collections in which an operation changes records, with those whose records follow from its own. */
  changedBy(operation: Pick<Operation, 'endpoint'>): string[]
  /** The partition that contains the result of an operation; undefined when the lists contain it. */
  partOf(
    operation: Pick<Operation, 'endpoint' | 'input'>,
  ): { name: string; partition: string } | undefined
}

/** `refused`: an error response that a retry does not change. */
export type PullResult = 'done' | 'unreachable' | 'refused' | 'signed-out'

/** A page of a list, in the shape of the contract. */
interface ListPage {
  data: ReplicaRecord[]
  meta: { last_page: number } | null
  /** See `Page` in the contract, as `next`. */
  total?: number
  next?: Record<string, unknown> | null
}

/** Records of a page, and the values of it that could not be read. */
export interface ReadPage {
  records: ReplicaRecord[]
  unread: readonly UnreadValue[]
}

/**
 * How the reading of a list ended. `ids`: of all its records, null for those that could not be read. `absent`: with
 * this status, which a retry does not change. `endless`: the server answers pages again that it has answered before, in
 * place of the next one.
 */
export type ListResult =
  | { kind: 'done'; ids: ReadonlySet<string | null> }
  | { kind: 'signed-out' | 'stopped' | 'endless' }
  | { kind: 'unreachable'; notUnderstood?: true }
  | { kind: 'busy'; error: OperationError; retryAfterMs?: number }
  | { kind: 'absent'; status: number }

/** The status with which a call that a server may lack was denied; undefined for other outcomes. */
export const absentStatus = (outcome: Outcome): number | undefined =>
  (outcome.kind === 'refused' || outcome.kind === 'busy') &&
  ABSENT_STATUSES.has(outcome.error.status)
    ? outcome.error.status
    : undefined

/** Makes a call, and again without `per_page` where the server refuses that. */
export async function withoutPageSize(
  request: (input: CallInput) => Promise<Outcome>,
  input: CallInput,
): Promise<Outcome> {
  const { per_page, ...query } = input.query ?? {}
  const outcome = await request(input)
  const isRefused = outcome.kind === 'refused' && outcome.error.status === 422
  return isRefused && per_page !== undefined ? await request({ ...input, query }) : outcome
}

/** How far a list has been read. `seen` has null for all ids that could not be read: their page is a new one once. */
export interface ListReading {
  seen: Set<string | null>
  /** Empty where the server refuses a size. */
  size: { per_page?: number }
  page: number
  position: Record<string, unknown>
  isDone: boolean
}

/** A reading that begins; `size` as an earlier one found it out. */
export const beginReading = (size: ListReading['size'] = { per_page: PAGE_SIZE }): ListReading => ({
  seen: new Set(),
  size,
  page: 1,
  position: { page: 1 },
  isDone: false,
})

/**
 * Reads a list by the links of the server, by its number of pages, or else until a page has no new record, or there are
 * as many as the server says; from its beginning without `per_page` where the server refuses that. `store` resolves to
 * false to stop; the same `reading` then goes on with the next page.
 */
export async function readPages(
  request: (query: Record<string, unknown>) => Promise<Outcome>,
  store: (page: ReadPage) => Promise<boolean>,
  reading: ListReading = beginReading(),
): Promise<ListResult> {
  while (!reading.isDone && reading.page <= MAX_PAGES) {
    const outcome = await request({ ...reading.size, ...reading.position })
    if (outcome.kind === 'refused' && outcome.error.status === 422 && reading.size.per_page) {
      // A later page may be too large. Its number, and its link, are those of pages of that size.
      Object.assign(reading, beginReading({}))
      continue
    }
    if (outcome.kind !== 'answered') return failureOf(outcome)
    const { seen } = reading
    const { data, meta, next, total = 0 } = outcome.value as ListPage
    const unread = outcome.unread ?? []
    const known = seen.size
    for (const { id } of [...data, ...unread]) seen.add(id)
    const hasNew = seen.size > known
    const count = data.length + unread.length
    const isNumbered = next === undefined && meta !== null
    const isUnled = next === undefined && !isNumbered
    // As many as are on this page may be those of the page. A cursor that led here ends where none leads on.
    const hasAll = (total > count && seen.size >= total) || !('page' in reading.position)
    const isNumberedLast = isNumbered && reading.page >= meta.last_page
    const isLast = isNumberedLast || next === null || (isUnled && hasAll)
    // Links may lead to an empty page at the end. A number of pages is believed.
    const isShort = isUnled ? seen.size < total && !seen.has(null) : count > 0
    const isEndless = !isLast && !hasNew && isShort
    reading.isDone = isLast || isEndless || (!hasNew && !isNumbered)
    if (isEndless) return { kind: 'endless' }
    reading.page += 1
    reading.position = next ?? { page: reading.page }
    if (!(await store({ records: data, unread }))) return { kind: 'stopped' }
  }
  return reading.isDone ? { kind: 'done', ids: reading.seen } : { kind: 'endless' }
}

/**
 * Reads a list to its end, or makes `maxRequests`. One without an end is an answer that is not as agreed.
 */
export async function readList(
  http: Http,
  caller: Caller,
  call: ApiCall,
  input: CallInput,
  store: (page: ReadPage) => Promise<boolean>,
  maxRequests = Infinity,
): Promise<ListResult> {
  let requests = 0
  const request = async (query: Record<string, unknown>): Promise<Outcome> => {
    if (requests === maxRequests) return { kind: 'unreachable' }
    requests += 1
    return await http.call(call, { ...input, query: { ...input.query, ...query } }, { caller })
  }
  const result = await readPages(request, store)
  if (result.kind === 'endless') http.onExchange({ call, result: 'not-understood' })
  return result
}

function failureOf(outcome: Exclude<Outcome, { kind: 'answered' }>): ListResult {
  const status = absentStatus(outcome)
  if (status !== undefined) return { kind: 'absent', status }
  if (outcome.kind === 'refused') return { kind: 'absent', status: outcome.error.status }
  return outcome
}

/** How lists are read and stored. */
interface ListAccess {
  /** Reads a list to its end; `store` as in `readPages`. */
  read: (call: ApiCall, store: (page: ReadPage) => Promise<boolean>) => Promise<ListResult>
  request: (call: ApiCall, input: CallInput) => Promise<Outcome>
  /** Whether the server answers another call now. */
  isAnswering: () => Promise<boolean>
  /** Records that this device has made, and that the replica may not have yet. */
  created: () => Promise<readonly RecordId[]>
  /** False when the replica is not this pull's any more. */
  store: (delta: Delta) => Promise<boolean>
}

/**
 * Reads the lists of `sources` and removes the records that are gone; adds what was read to `received` and
 * `report`. A list that is refused, or not answered now, costs no other list, and its stored copy stays.
 * Resolves to the lists that were missed, which a retry may bring.
 */
export async function pullLists(
  replica: Replica,
  sources: Pick<PullEndpoints, 'lists' | 'optional' | 'records'>,
  received: Received,
  report: ReadReporter,
  { read, request, isAnswering, created, store }: ListAccess,
): Promise<{ missed: readonly string[] } | 'unreachable' | 'signed-out'> {
  const missed: string[] = []
  /** Lists in a row that got no answer. */
  let unanswered = 0
  for (const [name, call] of Object.entries(sources.lists)) {
    const inList: Received = new Map()
    const result = await read(call, ({ records, unread }) => {
      addReceived(inList, name, [...records, ...unread])
      report.addPage(name, records, unread)
      return store({ put: { [name]: records }, deleted: [] })
    })
    if (result.kind === 'signed-out') return 'signed-out'
    if (result.kind === 'stopped') return 'unreachable'
    const isOptional = sources.optional.has(name)
    const isUnanswered = result.kind === 'unreachable' && !result.notUnderstood
    if (!isOptional) unanswered = isUnanswered ? unanswered + 1 : 0
    const isAsked = isOptional ? isUnanswered : unanswered === MAX_UNANSWERED
    if (isAsked && !(await isAnswering())) return 'unreachable'
    // A server may announce a list, and have none: without it the others are complete.
    if (result.kind === 'absent') {
      if (!isOptional) report.setRefused(name, result.status)
    } else if (result.kind !== 'done') {
      if (isOptional) continue
      missed.push(name)
      if (result.kind === 'busy' && report.tellsErrors) report.setRefused(name, result.error.status)
    } else {
      received.set(name, inList.get(name) ?? new Set())
      report.setWhole(name)
    }
  }
  const put: Delta['put'] = {}
  // What is deleted meanwhile moves others to a page that was read before.
  const missing = await missingRecords(replica, received, await created())
  const deleted = await goneRecords(replica, missing, received, sources.records, {
    request,
    found: (name, record) => {
      ;(put[name] ??= []).push(record)
      addReceived(received, name, [record])
    },
  })
  const hasChanges = deleted.length > 0 || Object.keys(put).length > 0
  if (hasChanges && !(await store({ put, deleted }))) return 'unreachable'
  return { missed }
}
