// What a row of the endpoint table says, and the reading of answers by it.
import * as v from 'valibot'
import type { OfflinePolicy } from './offline.ts'
import type { CallKind, ResourceName } from './resources.ts'

type Schema = v.GenericSchema

/** Who may call: anyone; a signed-in user; a member, manager or owner of the organisation in X-organisation. */
type Who = 'anyone' | 'user' | 'member' | 'manager' | 'owner'

/** What a call does without a network: answered from the device, queued, or not offered. */
type OfflineMode = 'read' | 'queue' | 'online'

/** What an answer carries: one record, a list of them, something of its own shape, or nothing. */
export type Answer = { shape: 'one' | 'list' | 'raw'; schema: Schema } | { shape: 'none' }

export const one = <S extends Schema>(schema: S) => ({ shape: 'one', schema }) as const
export const list = <S extends Schema>(schema: S) => ({ shape: 'list', schema }) as const
export const raw = <S extends Schema>(schema: S) => ({ shape: 'raw', schema }) as const
export const none = { shape: 'none' } as const

/** The names in braces of a path, as keys. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

type PathInput<Path extends string> = [PathNames<Path>] extends [never]
  ? { path?: undefined }
  : { path: Record<PathNames<Path>, string> }
type QueryInput<Q> = Q extends Schema ? { query?: v.InferInput<Q> } : { query?: undefined }
type BodyInput<B> = B extends Schema ? { body: v.InferInput<B> } : { body?: undefined }

/** What a caller passes: path parameters, query and body of that row, typed. Plain data: it is stored in the outbox. */
type InputFor<Path extends string, Q, B> = PathInput<Path> & QueryInput<Q> & BodyInput<B>

interface Page<T> {
  data: T[]
  meta: { current_page: number; last_page: number; per_page: number; total: number } | null
}

/** What a validated answer is for the caller: the record, a page of records, the raw body, or nothing. */
type ValueOf<A extends Answer> = A extends { shape: 'one' | 'raw'; schema: infer S extends Schema }
  ? v.InferOutput<S>
  : A extends { shape: 'list'; schema: infer S extends Schema }
    ? Page<v.InferOutput<S>>
    : undefined

export interface Endpoint<
  Path extends string = string,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
  A extends Answer = Answer,
  R extends ResourceName | undefined = ResourceName | undefined,
  K extends CallKind | undefined = CallKind | undefined,
> {
  /** The resource that the call reads or writes, and how; both or neither. */
  resource?: R
  kind?: K
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: Path
  query?: Q
  body?: B
  answer: A
  /** The status of success, 200 unless said otherwise; a repeated create may answer 200, too. */
  status?: 201 | 202 | 204
  /** Of the answer, JSON unless said otherwise. */
  media?: 'text/event-stream'
  who: Who
  offline: OfflineMode
  offlinePolicy?: OfflinePolicy<InputFor<Path, Q, B>>
  /** For the compiler alone: what goes in and what comes out. Never set. */
  readonly types?: { input: InputFor<Path, Q, B>; answer: ValueOf<A> }
}

/** A row as written in the table; its name is its key there. */
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

/** The answer of a row of the table, as its caller has it. */
export type AnswerOf<E> = E extends { types?: { answer: infer A } } ? A : never

/** The input of a row of the table. */
export type InputOf<E> = E extends { types?: { input: infer I } } ? I : never

const Meta = v.object({
  current_page: v.number(),
  last_page: v.number(),
  per_page: v.number(),
  total: v.number(),
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads the JSON body of a 2xx answer leniently: a bare record where `data` is missing, a plain
 * array for a list, no `meta`, unknown keys. Returns undefined in `value` for rows that answer
 * nothing. `ok: false` means that this is not an answer of that call (a captive portal, say).
 */
export function readAnswer(
  row: { answer: Answer },
  json: unknown,
): { ok: true; value: unknown } | { ok: false } {
  const { answer } = row
  if (answer.shape === 'none') return { ok: true, value: undefined }
  if (answer.shape === 'list') {
    const data = isObject(json) ? json.data : json
    const records = v.safeParse(v.array(answer.schema), data)
    if (!records.success) return { ok: false }
    const meta = v.safeParse(Meta, isObject(json) ? json.meta : null)
    return { ok: true, value: { data: records.output, meta: meta.success ? meta.output : null } }
  }
  const body = answer.shape === 'one' && isObject(json) && isObject(json.data) ? json.data : json
  const record = v.safeParse(answer.schema, body)
  return record.success ? { ok: true, value: record.output } : { ok: false }
}
