// Sends one operation in the way that the server takes it. At a server without versions, or one whose PUT
// replaces the whole record, the record is read right before an edit. The window between that reading and
// the edit remains.
import type { Http } from '../api/http.ts'
import type { Outcome } from '../api/outcome.ts'
import type { Outbox } from '../outbox.ts'
import type { Operation } from '../operation.ts'
import type { ApiCall, CallInput, Ports } from '../ports.ts'
import { withoutOwnId } from '../arrival/content.ts'
import { canonical } from '../conflicts/canonical.ts'
import { readPages } from '../pull/list-pull.ts'

type Fields = Record<string, unknown>

/** A record as it was just read. */
interface CurrentRecord {
  record: Fields
  /** As the server wrote it, with fields that the app does not know. */
  raw: Fields
}

/** In place of the answer of a server with versions. */
const CHANGED_MEANWHILE = { status: 412, message: 'This was changed meanwhile.' }
const GONE = { status: 404, message: 'The record is not there any more.' }

interface Context {
  ports: Ports
  http: Http
  outbox: Outbox
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Sends an operation; `unreachable` for one that this build does not know. */
export async function sendOperation(context: Context, operation: Operation): Promise<Outcome> {
  const { http, ports } = context
  const { base, endpoint, id, input } = operation
  const call = ports.calls[endpoint]
  if (!call) return { kind: 'unreachable' }
  const { capabilities } = http
  const local = call.offlinePolicy?.creates?.(input)
  const makesIds = local !== undefined && !capabilities.has('ids')
  const send = (asked: CallInput) =>
    http.call(call, makesIds ? withoutOwnId(asked, local) : asked, {
      caller: operation,
      // Compared with what was asked for.
      withRaw: !capabilities.has('ids'),
      // A server that does not know these headers may refuse the preflight.
      ...(capabilities.has('keys') && { idempotency_key: id }),
      ...(base && capabilities.has('versions') && { headers: { 'If-Match': `"${base.version}"` } }),
    })
  const deleted = call.offlinePolicy?.deletes?.(input)
  if (deleted !== undefined) {
    // What it is called is only for the screens.
    const outcome = await send({ ...input, body: undefined })
    // Another server may answer the same where it has no such call at all; a repeat may have deleted it before.
    const isGone404 = capabilities.has('ids') || operation.attempts > 1
    return asDeleted(outcome, deleted, isGone404)
  }
  const edits = call.offlinePolicy?.edits?.(input)
  const isEdit = call.method !== 'POST' || edits !== undefined
  const isCompared = isEdit && !capabilities.has('versions')
  const isWhole = call.method === 'PUT' && !capabilities.has('partial')
  if (!call.current || (!isCompared && !isWhole)) return await send(input)
  const current = await readCurrent(context, call, operation)
  if ('kind' in current) return current
  const known = isCompared && (await compare(context, call, operation, current.record))
  if (known) return known
  return await send(isWhole ? wholeInput(input, current.raw) : input)
}

/** The outcome of a deletion as an answer that names the record; with `isGone404` also a 404. */
function asDeleted(outcome: Outcome, id: string, isGone404: boolean): Outcome {
  const isGone =
    outcome.kind === 'answered' ||
    (isGone404 && outcome.kind === 'refused' && outcome.error.status === 404)
  return isGone ? { kind: 'answered', value: { id } } : outcome
}

/**
 * Compares the record as just read with what the edit is based on. 412 with the record where the two are
 * in conflict. An edit whose values the record has already is answered by it. Undefined when it is to be
 * sent.
 */
async function compare(
  { outbox }: Context,
  call: ApiCall,
  operation: Operation,
  record: Fields,
): Promise<Outcome | undefined> {
  if (call.method !== 'POST' && hasValues(record, operation))
    return { kind: 'answered', value: record }
  // A number that the server does not check must not be compared as a version.
  const theirs = { ...record, version: 0 }
  const isInConflict = await outbox.conflicts.isInConflict(operation, theirs)
  return isInConflict ? { kind: 'refused', error: CHANGED_MEANWHILE, data: theirs } : undefined
}

/** The whole record with the changes of the edit. */
function wholeInput(input: CallInput, raw: Fields): CallInput {
  if (!isFields(input.body)) return input
  const id = 'id' in input.body && raw.id !== undefined ? { id: raw.id } : {}
  return { ...input, body: { ...mergeFields(raw, input.body), ...id } }
}

const mergeFields = (raw: Fields, edit: Fields): Fields => ({
  ...raw,
  ...Object.fromEntries(
    Object.entries(edit).map(([name, value]) => [name, mergeValue(raw[name], value)]),
  ),
})

/**
 * A value of the edit with the fields that only the server knows. Lists are as the edit has them; their
 * entries are matched by id.
 */
function mergeValue(raw: unknown, value: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(raw))
    return value.map((one: unknown) => {
      const id = idOf(one)
      return id === undefined
        ? one
        : mergeValue(
            raw.find((other) => idOf(other) === id),
            one,
          )
    })
  if (!isFields(value) || !isFields(raw)) return value
  const id = idOf(value)
  if (id === undefined) return mergeFields(raw, value)
  // The server's own form of the id.
  return id === idOf(raw) ? { ...mergeFields(raw, value), id: raw.id } : value
}

/** The id of a record as text; undefined without one. */
const idOf = (value: unknown): string | undefined =>
  isFields(value) && value.id !== undefined
    ? JSON.stringify(value.id).replaceAll('"', '')
    : undefined

async function readCurrent(
  { http, ports }: Context,
  { current }: ApiCall,
  operation: Operation,
): Promise<CurrentRecord | Exclude<Outcome, { kind: 'answered' }>> {
  const call = current && ports.calls[current.call]
  if (!current || !call) return { kind: 'unreachable' }
  const { edits } = ports.calls[operation.endpoint]?.offlinePolicy ?? {}
  const id = edits?.(operation.input)?.id ?? ''
  const options = { caller: operation, withRaw: true }
  if (!current.isList) {
    const outcome = await http.call(call, current.input(id), options)
    if (outcome.kind !== 'answered') return outcome
    const raw = isFields(outcome.raw) && isFields(outcome.raw.data) ? outcome.raw.data : outcome.raw
    return { record: outcome.value as Fields, raw: isFields(raw) ? raw : {} }
  }
  const pages: Outcome[] = []
  const found: CurrentRecord[] = []
  await readPages(
    async (query) => {
      const page = await http.call(call, { query }, options)
      pages.push(page)
      return page
    },
    async ({ records }) => {
      const record = records.find((one) => one.id === id)
      if (record) found.push({ record, raw: rawWithId(pages.at(-1), id) })
      return !record
    },
  )
  const last = pages.at(-1)
  if (last && last.kind !== 'answered') return last
  return found[0] ?? { kind: 'refused', error: GONE }
}

function rawWithId(outcome: Outcome | undefined, id: string): Fields {
  const body = outcome?.kind === 'answered' ? outcome.raw : undefined
  const list = isFields(body) ? body.data : body
  const found = Array.isArray(list) ? list.find((one) => idOf(one) === id) : undefined
  return isFields(found) ? found : {}
}

/**
 * Whether the record has the values of the edit. At a repetition, when the answer was lost, without fields
 * that the record does not show, such as the note of a new status.
 */
function hasValues(record: Fields, { input, attempts }: Operation): boolean {
  const fields = Object.entries(isFields(input.body) ? input.body : {}).filter(
    ([name, value]) => name !== 'id' && value !== undefined,
  )
  const compared = attempts > 1 ? fields.filter(([name]) => name in record) : fields
  return (
    compared.length > 0 &&
    compared.every(([name, value]) => canonical(record[name]) === canonical(value))
  )
}
