// A record as it is right before an edit. At a server whose PUT replaces the whole record, the edit is sent with
// all other fields of it.
import { isObject } from '../../../../contract/text/json.ts'
import { impliedId } from '../../../../contract/schemas/read-records.ts'
import { nestedIds } from '../../../../contract/text/nested-ids.ts'
import type { Http } from '../api/http.ts'
import type { Outcome } from '../api/outcome.ts'
import { isSameValue, withoutOwnId } from '../arrival/content.ts'
import { recordsIn } from '../arrival/server-fields.ts'
import type { ApiCall, CallInput, OfVersion, Ports } from '../ports.ts'
import { readPages, withoutPageSize } from '../pull/list-pull.ts'
import type { Caller } from '../session.ts'

type Fields = Record<string, unknown>

/** A record as it was just read. */
interface CurrentRecord {
  record: Fields
  /** As the server wrote it, with fields that the app does not know. */
  raw: Fields
}

const GONE = { status: 404, message: '' }

interface Context {
  ports: Pick<Ports, 'calls'>
  http: Http
}

/** Makes a call of a screen, which waits for its outcome. */
export async function callNow(
  http: Http,
  ports: Pick<Ports, 'calls'>,
  call: ApiCall,
  { version, ...input }: CallInput & OfVersion,
  caller: Caller | undefined,
): Promise<Outcome> {
  if (call.method === 'GET')
    return await withoutPageSize((asked) => http.call(call, asked, { caller }), input)
  await http.capabilities.loaded()
  const isBased = version !== undefined && http.capabilities.has('versions')
  const send = async (asked: CallInput) => {
    const { body } = asked
    // A record that is created has an id of this device.
    const isNew = call.method === 'POST' && isObject(body) && !http.capabilities.has('ids')
    const own = isNew ? withoutOwnId(asked, body.id) : asked
    return await http.call(call, await http.fields.asWritten(call, own), {
      caller,
      ...(isBased && { headers: { 'If-Match': `"${version}"` } }),
    })
  }
  // Of what has no read of its own, a member, the call sets everything that can be set.
  const isWhole =
    call.method === 'PUT' && call.current?.isList === false && !http.capabilities.has('partial')
  if (!isWhole || !caller) return await send(input)
  const current = await readCurrent({ http, ports }, call, input.path?.id ?? '', caller)
  const hasIds = http.capabilities.has('ids')
  return await ('kind' in current ? current : send(wholeInput(input, current, hasIds)))
}

/**
 * The edit with all other fields of the record; with `isPartial` with its lists alone. Parents that the server answers
 * as records are sent as their ids. Without `hasIds` the entries of lists have the ids of the server.
 */
export function wholeInput(
  input: CallInput,
  { record, raw }: CurrentRecord,
  hasIds: boolean,
  isPartial = false,
): CallInput {
  const { body } = input
  if (!isObject(body)) return input
  const parents = Object.entries(nestedIds(raw)).filter(([name]) => name in record)
  const id = 'id' in body && raw.id !== undefined ? { id: raw.id } : {}
  const whole = { ...raw, ...Object.fromEntries(parents) }
  const merged: Fields = { ...mergeFields(whole, body, record, hasIds), ...id }
  if (!isPartial) return { ...input, body: merged }
  const lists = Object.entries(body).map(([name, one]) => {
    const list = merged[name]
    const isOther =
      Array.isArray(one) && Array.isArray(list) && !(hasIds && list.length === one.length)
    return [name, isOther ? list : one]
  })
  return { ...input, body: Object.fromEntries(lists) as Fields }
}

const mergeFields = (raw: Fields, edit: Fields, read: unknown, hasIds: boolean): Fields => ({
  ...raw,
  ...Object.fromEntries(
    Object.entries(edit).map(([name, value]) => {
      const known = isObject(read) ? read[name] : undefined
      return [name, mergeValue(raw[name], value, known, hasIds)]
    }),
  ),
})

/**
 * A value of the edit with the fields that only the server knows. Lists are as the edit has them, and keep what could
 * not be read; their entries are matched by id. `read`: the value as it was read.
 */
function mergeValue(raw: unknown, value: unknown, read: unknown, hasIds: boolean): unknown {
  if (!Array.isArray(value))
    return isObject(value) && isObject(raw) ? mergeFields(raw, value, read, hasIds) : value
  const known: unknown[] = Object.values(typeof raw === 'object' && raw ? raw : {})
  const readable: unknown[] = Array.isArray(read) ? read : known
  const ids = known.map((one, at) => (isObject(one) ? (idOf(one) ?? impliedId(known, at)) : one))
  const isNamed = (id: unknown) => value.some((one) => isObject(one) && idOf(one) === id)
  const taken = new Set<number>()
  const merged = value.map((one: unknown) => {
    if (!isObject(one)) return one
    const id = idOf(one)
    let at = id === undefined ? -1 : ids.indexOf(id)
    // One that this device has added, under the id that the server has made.
    if (at === -1 && id !== undefined && !hasIds)
      at = known.findIndex(
        (other, index) =>
          isObject(other) && other.name === one.name && !isNamed(ids[index]) && !taken.has(index),
      )
    taken.add(at)
    const own = known[at]
    const shown = readable.find((other) => idOf(other) === id)
    // The server's own form of the id.
    if (isObject(own)) return { ...mergeFields(own, one, shown, hasIds), id: own.id }
    return hasIds ? one : { ...one, id: undefined }
  })
  const isKept = (one: unknown, at: number) =>
    !isNamed(ids[at]) &&
    !readable.some((other) => {
      const id = idOf(other)
      return id === undefined ? isSameValue(other, one) : id === ids[at]
    })
  return known.length > readable.length ? [...merged, ...known.filter(isKept)] : merged
}

/** The id of a record as text; undefined without one. */
const idOf = (value: unknown): string | undefined =>
  isObject(value) && (value.id ?? undefined) !== undefined
    ? JSON.stringify(value.id).replaceAll('"', '')
    : undefined

/**
 * Reads the record with that id which a call changes, as `caller`. With `isFirst` a list of several pages without it
 * counts as unread: what was deleted meanwhile moves others to a page that was read before.
 */
export async function readCurrent(
  { http, ports }: Context,
  { current }: ApiCall,
  id: string,
  caller: Caller,
  isFirst = false,
): Promise<CurrentRecord | Exclude<Outcome, { kind: 'answered' }>> {
  const call = current && ports.calls[current.call]
  if (!current || !call) return { kind: 'unreachable' }
  const options = { caller, withRaw: true }
  if (!current.isList) {
    const outcome = await http.call(call, current.input(id), options)
    if (outcome.kind !== 'answered') return outcome
    const raw = isObject(outcome.raw) && isObject(outcome.raw.data) ? outcome.raw.data : outcome.raw
    return { record: outcome.value as Fields, raw: isObject(raw) ? raw : {} }
  }
  const pages: Outcome[] = []
  const found: CurrentRecord[] = []
  let isUnread = false
  const result = await readPages(
    async (query) => {
      const page = await http.call(call, { query }, options)
      pages.push(page)
      return page
    },
    async ({ records, unread }) => {
      const record = records.find((one) => one.id === id)
      isUnread ||= unread.some((one) => one.id === id || one.id === null)
      if (record) found.push({ record, raw: rawWithId(pages.at(-1), id) })
      return !record
    },
  )
  const last = pages.at(-1)
  if (last && last.kind !== 'answered') return last
  if (found[0]) return found[0]
  // What cannot be read is not gone.
  if (isUnread || result.kind === 'endless') return { kind: 'unreachable', notUnderstood: true }
  const isPaged = pages.filter(({ kind }) => kind === 'answered').length > 1
  if (isFirst && isPaged) return { kind: 'unreachable', notUnderstood: true, isAbsent: true }
  return { kind: 'refused', error: GONE }
}

function rawWithId(outcome: Outcome | undefined, id: string): Fields {
  const body = outcome?.kind === 'answered' ? outcome.raw : undefined
  return recordsIn(body).find((one) => idOf(one) === id) ?? {}
}
