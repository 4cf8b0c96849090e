// Sends one operation in the way that the server takes it. At a server without versions, or one whose PUT
// replaces the whole record, the record is read right before an edit. The window between that reading and
// the edit remains.
import { isObject } from '../../../../contract/text/json.ts'
import { readErrorBody } from '../../../../contract/text/read-errors.ts'
import type { Http } from '../api/http.ts'
import { NOT_UNDERSTOOD, type Outcome } from '../api/outcome.ts'
import type { Outbox } from '../outbox.ts'
import type { Operation } from '../operation.ts'
import type { ApiCall, CallInput, Ports } from '../ports.ts'
import { mayHaveArrived, released, withClosed } from '../arrival/attempt.ts'
import { withoutEntryIds, withoutOwnId } from '../arrival/content.ts'
import { canonical } from '../conflicts/canonical.ts'
import { readCurrent, wholeInput } from './current-record.ts'
import { answersOthers } from './stuck.ts'

type Fields = Record<string, unknown>

/** In place of the answer of a server with versions. */
const CHANGED_MEANWHILE = { status: 412, message: '' }

/** In place of the answer to a deletion that left its record. */
const NOT_DELETED = { status: 0, code: 'not_deleted' }

/** Nothing is sent: it was discarded, or is to be sent in another way. */
const NOT_SENT: Outcome = { kind: 'busy', error: { status: 0, message: '' } }

interface Context {
  ports: Ports
  http: Http
  outbox: Outbox
}

/** Sends an operation; `unreachable` for one that this build does not know. */
export async function sendOperation(context: Context, operation: Operation): Promise<Outcome> {
  const { http, ports } = context
  const { base, endpoint, id, input } = operation
  const call = ports.calls[endpoint]
  if (!call) return { kind: 'unreachable' }
  const { capabilities } = http
  const local = call.offlinePolicy?.creates?.(input)
  const makesIds = local !== undefined && !capabilities.has('ids')
  // A record that is read before a write is read again where the context was frozen in between.
  let notedAt = operation.attempt
    ? call.offlinePolicy?.created && operation.attempt.at
    : operation.claimed_at
  const read = (of: string) => {
    notedAt = ports.clock.now()
    return readCurrent(context, call, of, operation, !operation.was_absent)
  }
  const isKeyed = operation.attempt === undefined && capabilities.has('keys')
  // Without versions an edit is compared before it is sent.
  let isVersioned = capabilities.has('versions')
  const isWanted = async () => (await context.outbox.all()).some((one) => one.id === id)
  const send = async (own: CallInput) => {
    const asked = capabilities.has('ids') ? own : await http.fields.asWritten(call, own)
    // Its author may have discarded it while storage was read.
    if (asked !== own && !(await isWanted())) return NOT_SENT
    // Without its key an attempt is noted first.
    if (isKeyed && !capabilities.has('keys')) return NOT_SENT
    if (base && isVersioned && !capabilities.has('versions')) return NOT_SENT
    return await http.call(call, makesIds ? withoutOwnId(asked, local) : asked, {
      caller: operation,
      isWanted,
      notedAt,
      // Compared with what was asked for.
      withRaw: true,
      // A server that does not know these headers may refuse the preflight.
      ...(capabilities.has('keys') && { idempotency_key: id }),
      ...(base && capabilities.has('versions') && { headers: { 'If-Match': `"${base.version}"` } }),
    })
  }
  const deleted = call.offlinePolicy?.deletes?.(input)
  if (deleted !== undefined) {
    const isRead = base !== undefined && call.current && !isVersioned
    const current = isRead && (await read(deleted))
    const isMissing = current && 'kind' in current && isNotFound(current)
    if (current && 'kind' in current && !isMissing) return await unsent(context, current, operation)
    if (current && 'record' in current && (await isChanged(context, operation, current.record)))
      return changedMeanwhile(current.record)
    // Its author may have taken it back meanwhile.
    if (current && !(await isWanted())) return NOT_SENT
    const isRepeat = mayHaveArrived(released(operation))
    if (isMissing && isRepeat) return { kind: 'answered', value: { id: deleted } }
    // What it is called is only for the screens.
    const outcome = await send({ ...input, body: undefined })
    // Another server may answer the same where it has no such call at all; a repeat may have deleted it before.
    const isGone404 = isMissing || capabilities.has('ids') || (isRepeat && !call.current)
    const isAnswered = outcome.kind === 'answered'
    const message = isAnswered && isObject(outcome.raw) ? readErrorBody(outcome.raw).message : ''
    // Without versions some confirm what they have not done. A whole list is read only where they say something.
    const isSure = isAnswered
      ? isMissing || capabilities.has('versions') || (call.current?.isList && message === '')
      : !isNotFound(outcome) || isGone404
    if (isSure || !call.current) return asDeleted(outcome, deleted, isGone404)
    // It was deleted before, or the network has delivered this twice: where the call is missing, it is still there.
    const after = await read(deleted)
    const isGone = 'kind' in after ? isNotFound(after) : Boolean(after.raw.deleted_at)
    if (isAnswered && !isGone && 'record' in after)
      // Another one that answers so may take a moment.
      return operation.odd_answers
        ? { kind: 'refused', error: { ...NOT_DELETED, message } }
        : { ...NOT_UNDERSTOOD, isTaken: true }
    // Unread, it may be either: a deletion that was not confirmed is sent again.
    if (!isAnswered && 'kind' in after && after.kind !== 'refused')
      return await unsent(context, after, operation)
    return asDeleted(outcome, deleted, isGone)
  }
  const edits = call.offlinePolicy?.edits?.(input)
  const isEdit = call.method !== 'POST' || edits !== undefined
  const isWhole = call.method === 'PUT' && !capabilities.has('partial')
  // Entries of a list are sent under the ids of a server that makes them.
  const isListed = !capabilities.has('ids') && Object.values(input.body ?? {}).some(Array.isArray)
  if (!call.current || !((isEdit && (!isVersioned || isListed)) || isWhole))
    return await send(input)
  const current = await read(edits?.id ?? '')
  if ('kind' in current) return await unsent(context, current, operation)
  // Its author may have discarded it meanwhile.
  if (!(await isWanted())) return NOT_SENT
  isVersioned = capabilities.has('versions')
  const known = isEdit && !isVersioned && (await compare(context, call, operation, current.record))
  if (known) return known
  return await send(wholeInput(input, current, capabilities.has('ids'), !isWhole))
}

/**
 * The outcome of a reading in place of that of the request: one that fails while others are answered is counted, as
 * it may fail for ever.
 */
async function unsent(
  { http, outbox, ports }: Context,
  outcome: Outcome,
  operation: Operation,
): Promise<Outcome> {
  // Nothing has left, or what left had no effect.
  await outbox.update(operation.id, (one) => ({ ...one, ...withClosed(operation) }))
  const isOdd =
    outcome.kind === 'busy'
      ? outcome.retryAfterMs === undefined && (await answersOthers(http, ports.calls, operation))
      : outcome.kind === 'unreachable' && outcome.notUnderstood && !outcome.isRefused
  if (!isOdd) return outcome
  const isAbsent = outcome.kind === 'unreachable' ? outcome.isAbsent : undefined
  return { ...NOT_UNDERSTOOD, isUnread: true, isAbsent }
}

/** The outcome of a deletion as an answer that names the record; with `isGone404` also a 404 or 410. */
export function asDeleted(outcome: Outcome, id: string, isGone404: boolean | undefined): Outcome {
  const isGone = outcome.kind === 'answered' || (isGone404 && isNotFound(outcome))
  return isGone ? { kind: 'answered', value: { id } } : outcome
}

/**
 * Compares the record as just read with what the edit is based on. 412 with the record where the two are
 * in conflict. An edit whose values the record has already is answered by it. Undefined when it is to be
 * sent.
 */
async function compare(
  context: Context,
  call: ApiCall,
  operation: Operation,
  record: Fields,
): Promise<Outcome | undefined> {
  const hasIds = context.http.capabilities.has('ids')
  const compared = (value: unknown) => canonical(hasIds ? value : withoutEntryIds(value))
  if (call.method !== 'POST' && hasValues(record, operation, compared))
    return { kind: 'answered', value: record }
  return (await isChanged(context, operation, record)) ? changedMeanwhile(record) : undefined
}

// A number that the server does not check must not be compared as a version.
const withoutVersion = (record: Fields): Fields => ({ ...record, version: 0 })

const isChanged = ({ outbox }: Context, operation: Operation, record: Fields): Promise<boolean> =>
  outbox.conflicts.isInConflict(operation, withoutVersion(record))

const changedMeanwhile = (record: Fields): Outcome => ({
  kind: 'refused',
  error: CHANGED_MEANWHILE,
  data: withoutVersion(record),
})

const isNotFound = (outcome: Outcome): boolean =>
  outcome.kind === 'refused' && [404, 410].includes(outcome.error.status)

/**
 * Whether the record has the values of the edit, compared in that form. At a repetition, when the answer was lost,
 * without fields that the record does not show, such as the note of a new status.
 */
function hasValues(
  record: Fields,
  operation: Operation,
  form: (value: unknown) => string,
): boolean {
  const { body } = operation.input
  const fields = Object.entries(isObject(body) ? body : {}).filter(
    ([name, value]) => name !== 'id' && value !== undefined,
  )
  const isRepeat = mayHaveArrived(released(operation))
  const compared = isRepeat ? fields.filter(([name]) => name in record) : fields
  // Of a group of settings only those that were asked for; a first attempt sends them, as they may be defaults here.
  const isSame = (shown: unknown, asked: unknown): boolean =>
    isRepeat && isObject(asked) && isObject(shown)
      ? Object.entries(asked).every(([name, one]) => isSame(shown[name], one))
      : form(shown) === form(asked)
  return compared.length > 0 && compared.every(([name, value]) => isSame(record[name], value))
}
