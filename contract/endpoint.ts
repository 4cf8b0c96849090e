// The shape of a row of the endpoint table, and how a response is parsed by it.
import * as v from 'valibot'
import type { Capability } from './capabilities.ts'
import { isObject } from './text/json.ts'
import { nestedIds } from './text/nested-ids.ts'
import { readQuery } from './query-string.ts'
import { readRecords, type ReadResult } from './schemas/read-records.ts'
import type { OfflinePolicy } from './offline.ts'
import { resourceOf, type CallKind, type ResourceName } from './resources.ts'

type Schema = v.GenericSchema

/** Who may call. `member`, `manager` and `owner` refer to the organisation in `X-organisation`. */
type Who = 'anyone' | 'user' | 'member' | 'manager' | 'owner'

/** Without a network: read from the device, queued, or unavailable. */
type OfflineMode = 'read' | 'queue' | 'online'

/**
 * The body of a success response: one record, a list of records, another shape (`raw`), or none.
 * `recordDepth`: how many levels deep the records of a `raw` body are.
 */
export type Answer =
  | { shape: 'one' | 'list' | 'raw'; schema: Schema; recordDepth?: number }
  | { shape: 'none' }

/** Answers one record, in `data`. */
export const one = <S extends Schema>(schema: S) => ({ shape: 'one', schema }) as const
/** Answers a page of records in `data`, with `meta`. */
export const list = <S extends Schema>(schema: S) => ({ shape: 'list', schema }) as const
/** Answers a body without the `data` envelope. */
export const raw = <S extends Schema>(schema: S) => ({ shape: 'raw', schema }) as const
/** Answers lists of records by collection, in `data`, without the envelope of a list. */
export const feed = <S extends Schema>(schema: S) =>
  ({ shape: 'raw', schema, recordDepth: 3 }) as const
/** Answers no body. */
export const none = { shape: 'none' } as const

/** The parameter names in a path template: `id` for `/accounts/{id}`. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

type PathInput<Path extends string> = [PathNames<Path>] extends [never]
  ? { path?: undefined }
  : { path: Record<PathNames<Path>, string> }
type QueryInput<Q> = Q extends Schema ? { query?: v.InferInput<Q> } : { query?: undefined }
type BodyInput<B> = B extends Schema ? { body: v.InferInput<B> } : { body?: undefined }

/** The typed path parameters, query and body of a row. Plain data, because the outbox stores it. */
type InputFor<Path extends string, Q, B> = PathInput<Path> & QueryInput<Q> & BodyInput<B>

interface Page<T> {
  data: T[]
  meta: { current_page: number; last_page: number; per_page: number; total: number } | null
  /** How many records there are, of a server that says that and no number of pages; some count those of the page. */
  total?: number
  /** The query of the next page as the answer links it; null on the last page, undefined without links. */
  next?: Record<string, unknown> | null
}

/** What the caller of an endpoint receives. */
type ValueOf<A extends Answer> = A extends { shape: 'one' | 'raw'; schema: infer S extends Schema }
  ? v.InferOutput<S>
  : A extends { shape: 'list'; schema: infer S extends Schema }
    ? Page<v.InferOutput<S>>
    : undefined

/** A row of the endpoint table. */
export interface Endpoint<
  Path extends string = string,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
  A extends Answer = Answer,
  R extends ResourceName | undefined = ResourceName | undefined,
  K extends CallKind | undefined = CallKind | undefined,
> {
  /** The resource that the call reads or writes, and how. Set both or neither. */
  resource?: R
  kind?: K
  /** The capability of a server that has the call; none for a call of the specification. */
  capability?: Capability
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: Path
  query?: Q
  body?: B
  /** How large a request may be, in bytes: 1 MiB by default, 16 KiB without a sign-in. */
  maxBodyBytes?: number
  answer: A
  /** Brings the body of another server into the form of `answer`. */
  adapt?: (json: unknown) => unknown
  /** The success status, 200 by default. A repeated create may also return 200. */
  status?: 201 | 202 | 204
  /** Media type of the response, JSON by default. */
  media?: 'text/event-stream'
  who: Who
  offline: OfflineMode
  offlinePolicy?: OfflinePolicy<InputFor<Path, Q, B>>
  /** Carries the input and answer types for the compiler. Never set. */
  readonly types?: { input: InputFor<Path, Q, B>; answer: ValueOf<A> }
}

/** Declares a row of the table and infers its types. Its name is its key in the table. */
export const endpoint = <
  const Path extends string,
  const A extends Answer,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  const R extends ResourceName | undefined = undefined,
  const K extends CallKind | undefined = undefined,
>(
  row: Endpoint<Path, Q, B, A, R, K>,
) => row

/** What the caller of that endpoint receives. */
export type AnswerOf<E> = E extends { types?: { answer: infer A } } ? A : never

/** What the caller of that endpoint passes. */
export type InputOf<E> = E extends { types?: { input: infer I } } ? I : never

const Meta = v.object({
  current_page: v.number(),
  last_page: v.number(),
  per_page: v.number(),
  total: v.number(),
})

/** What a page says about itself; empty where it says nothing. */
function aboutPage(page: unknown): Record<string, unknown> {
  if (!isObject(page)) return {}
  return isObject(page.meta) ? page.meta : page
}

/** The number of pages, or that of records alone. */
function readMeta(page: unknown) {
  const about = aboutPage(page)
  const meta = v.safeParse(Meta, about)
  if (meta.success) return { meta: meta.output }
  const { total } = about
  return { meta: null, ...(typeof total === 'number' && { total }) }
}

/** The query of the next page, from Laravel's links, or from a cursor without them; see `Page`. */
function nextQuery(json: unknown): Record<string, unknown> | null | undefined {
  if (!isObject(json)) return undefined
  const next = isObject(json.links) ? json.links.next : json.next_page_url
  const { next_cursor, last_page } = aboutPage(json)
  // No cursor may be of a mode that was not asked for.
  if (next === undefined && last_page === undefined) {
    if (typeof next_cursor === 'string' && next_cursor !== '') return { cursor: next_cursor }
    if (typeof next_cursor === 'number') return { cursor: String(next_cursor) }
  }
  if (next === '') return null
  if (typeof next !== 'string') return next === null ? null : undefined
  try {
    return readQuery(next.split('?')[1] ?? '')
  } catch {
    return undefined
  }
}

const NAMES_OF_PAGES = new Set(['data', 'meta', 'links'])

/** A page without its envelope: some servers put Laravel's paginator, which has its own `data`, in another `data`. */
const pageIn = (json: unknown): unknown =>
  isObject(json) && isObject(json.data) && Array.isArray(json.data.data) ? json.data : json

/** The records of a page as a list, also where a server writes null for none, or a map by id. */
export function recordsIn(json: unknown): unknown {
  const page = pageIn(json)
  const data = isObject(page) ? page.data : page
  // An error that is answered with 200 often has a null `data`, too.
  const isPage = !isObject(page) || Object.keys(page).every((name) => NAMES_OF_PAGES.has(name))
  if (data === null && isPage) return []
  return isObject(data) && Object.values(data).every(isObject) ? Object.values(data) : data
}

/** The names of the fields of a record; undefined where the schema has no such list. */
const entriesOf = (schema: object): object | undefined => (schema as { entries?: object }).entries

/**
 * The record with ids that other servers leave out: that of the record in the path, those of records that they answer
 * in place of an id, and the user of a member where it is a user with a pivot (Laravel's form).
 */
function withImpliedIds(
  { answer, resource }: Pick<Endpoint, 'answer'> & { resource?: string | undefined },
  received: unknown,
  id: string | undefined,
) {
  if (!isObject(received) || resource === undefined || answer.shape === 'none') return received
  const isMember = resource === 'organisation_users'
  const record = isMember && isObject(received.user) ? { ...received.user, ...received } : received
  const fields = entriesOf(answer.schema) ?? {}
  const nested = Object.entries(nestedIds(record)).filter(([name]) => name in fields)
  const implied: Record<string, unknown> = Object.fromEntries(nested)
  const by = resourceOf(resource as ResourceName).partition?.by
  if (by !== undefined && id !== undefined) implied[by] ??= record[by] ?? id
  if (isMember && isObject(record.pivot))
    implied.user_id ??= record.user_id ?? record.pivot.user_id ?? record.id
  // The specification names no other id of a member.
  if (isMember) implied.id ??= record.id ?? implied.user_id ?? record.user_id
  return { ...record, ...implied }
}

function hasFieldOf(schema: object, record: unknown): boolean {
  return isObject(record) && Object.keys(entriesOf(schema) ?? record).some((name) => name in record)
}

/**
 * Parses the JSON body of a 2xx response to a request with `id` in its path. Lenient: accepts a bare record without
 * `data` and an envelope where there should be none, a plain array, a map or null for a list, a missing `meta`,
 * unknown keys, and values in other forms. `value` is undefined for
 * endpoints without a body. `ok: false` means that the body does not belong to this call, for example
 * because it comes from a captive portal. A value that cannot be read costs its optional field, else its
 * record, and is listed in `unread`.
 */
export function readAnswer(
  row: Pick<Endpoint, 'answer' | 'adapt' | 'method'> & { resource?: string | undefined },
  received: unknown,
  id?: string,
): ReadResult {
  const { answer, resource, adapt, method } = row
  const json = adapt ? adapt(received) : received
  if (answer.shape === 'none') return { ok: true, value: undefined }
  if (answer.shape === 'list') {
    const page = pageIn(json)
    const list = recordsIn(json)
    const data = Array.isArray(list) ? list.map((record) => withImpliedIds(row, record, id)) : list
    const records = readRecords(v.array(answer.schema), data, 1, resource)
    if (!records.ok) return records
    const next = nextQuery(page)
    const value = { data: records.value, ...readMeta(page) }
    return { ...records, value: next === undefined ? value : { ...value, next } }
  }
  const body = answer.shape === 'one' && isObject(json) && isObject(json.data) ? json.data : json
  const record = answer.shape === 'one' ? withImpliedIds(row, body, id) : body
  // Where no field is needed, any object reads as the record; a read may have nothing to say yet.
  if (answer.shape === 'one' && method !== 'GET' && !hasFieldOf(answer.schema, record))
    return { ok: false }
  const read = readRecords(answer.schema, record, answer.recordDepth ?? 0, resource)
  const isEnclosed = answer.shape === 'raw' && !read.ok && isObject(json) && isObject(json.data)
  const inner = isEnclosed ? json.data : json
  const result = isEnclosed
    ? readRecords(answer.schema, inner, answer.recordDepth ?? 0, resource)
    : read
  return answer.shape === 'raw' && answer.recordDepth ? withUnknownLists(result, inner) : result
}

const hasId = (record: unknown) => isObject(record) && typeof record.id === 'string'

/**
 * A feed with the lists of records that this build does not know, as they came. A newer build beside it has the same
 * replica, and would not get them again.
 */
function withUnknownLists(read: ReadResult, json: unknown): ReadResult {
  if (!read.ok || !isObject(json) || !isObject(json.data)) return read
  const { data } = read.value as { data: Record<string, unknown> }
  for (const [name, list] of Object.entries(json.data))
    if (Array.isArray(list) && list.every(hasId)) data[name] ??= list
  return read
}
