// The optimistic overlay: replica records with the user's operations applied.
import type { BodyOf, RecordOf } from '../../contract/resource-schemas.ts'
import type { QueuedResource } from '../../contract/resources.ts'
import type { Operation } from '../sync/core/operation.ts'
import { createdRecordId, kindOf, recordIdOf, subjectOf } from './operations/operation-call.ts'

/** Fields of every record, set by the overlay on a create. */
interface BaseRecord {
  id: string
  version: number
  created_by: string | null
  created_at: string | null
  updated_at: string | null
}

/** Overlay rules of one resource. */
interface OverlayRules<Rec extends BaseRecord, Body> {
  /** Field values of a record created without any. */
  defaults: (operation: Operation) => Omit<Rec, keyof BaseRecord>
  /** The fields in the body of a create or edit, converted to the shape of a record. */
  fieldsOf: (body: Body, before: Omit<Rec, keyof BaseRecord>) => Partial<Rec>
  /** Applies the server's rules for derived fields. `before` is undefined after a create. */
  derive?: (after: Rec, before: Rec | undefined) => Rec
  /** The record after an append operation. */
  applyAppend?: (record: Rec, operation: Operation) => Rec
}

/** Applies operations, in queue order, to stored records. */
export type Overlay<Rec> = (
  stored: readonly Rec[],
  operations: readonly Operation[],
) => readonly Rec[]

/**
 * The overlay of one resource. Records without operations, and a list without any, keep their
 * identity. A rejected edit is not applied; a rejected create is shown, so that it can be corrected.
 */
export const overlayOf =
  <R extends QueuedResource>(
    resource: R,
    rules: OverlayRules<RecordOf<R>, BodyOf<R, 'create'> | BodyOf<R, 'update'>>,
  ): Overlay<RecordOf<R>> =>
  (stored, operations) => {
    const own = operations.filter((operation) => subjectOf(operation) === resource)
    return own.length === 0 ? stored : applyOperations(stored, own, rules)
  }

function applyOperations<Rec extends BaseRecord, Body>(
  stored: readonly Rec[],
  operations: readonly Operation[],
  rules: OverlayRules<Rec, Body>,
): readonly Rec[] {
  const records = new Map(stored.map((record) => [record.id, record]))
  for (const operation of operations) {
    const known = records.get(recordIdOf(operation) ?? '')
    const now =
      kindOf(operation) === 'create'
        ? (known ?? answerOf<Rec>(operation) ?? afterCreate(operation, rules))
        : known && afterChange(known, operation, rules)
    if (now) records.set(now.id, now)
  }
  return [...records.values()]
}

function afterCreate<Rec extends BaseRecord, Body>(
  operation: Operation,
  { defaults, fieldsOf, derive = (after) => after }: OverlayRules<Rec, Body>,
): Rec | undefined {
  const id = createdRecordId(operation)
  if (id === undefined) return undefined
  const blank = defaults(operation)
  const { user_id: created_by, created_at } = operation
  const base: BaseRecord = { id, version: 0, created_by, created_at, updated_at: created_at }
  // Safe cast: `defaults` and `base` together are all fields.
  const created = { ...blank, ...fieldsOf(operation.input.body as Body, blank), ...base } as Rec
  return derive(created, undefined)
}

function afterChange<Rec extends BaseRecord, Body>(
  known: Rec,
  operation: Operation,
  { fieldsOf, derive = (after) => after, applyAppend }: OverlayRules<Rec, Body>,
): Rec {
  if (operation.state === 'attention') return known
  const answer = answerOf<BaseRecord>(operation)
  // The replica already has that answer or a later one. Version 0: the server does not count versions.
  if (answer && answer.version > 0 && known.version >= answer.version) return known
  if (kindOf(operation) === 'append')
    return { ...(applyAppend?.(known, operation) ?? known), updated_at: operation.created_at }
  if (answer) return answer as Rec
  const fields = fieldsOf(operation.input.body as Body, known)
  return derive({ ...known, ...fields, updated_at: operation.created_at }, known)
}

/** The answer of an acknowledged operation, validated by the engine with the call's schema. */
export const answerOf = <T>({ state, answer }: Operation): T | undefined =>
  state === 'acknowledged' ? (answer as T | undefined) : undefined

type DefinedFields<Body> = { [Name in keyof Body]?: Exclude<Body[Name], undefined> }

/** The fields that are not undefined. */
export const definedFields = <Body extends object>(body: Body): DefinedFields<Body> =>
  Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined),
  ) as DefinedFields<Body>
