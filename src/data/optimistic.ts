// The optimistic overlay: replica records with the user's operations applied.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { BlankOf, BodyOf, RecordOf } from '../../contract/resource-schemas.ts'
import type { QueuedResource, ResourceName } from '../../contract/resources.ts'
import type { Operation } from '../sync/core/operation.ts'
import { useOperations } from '../sync/react/use-sync.ts'
import { createdRecordId, kindOf, recordIdOf, subjectOf } from './operations/operation-call.ts'
import { recordsQuery } from './record-queries.ts'
import type { withShownVersions } from './operations/shown-versions.ts'

/** Fields of every record, set by the overlay on a create. */
interface BaseRecord {
  id: string
  version: number
  created_by: string | null
  created_at: string | null
  updated_at: string | null
}

/** What the overlay gets from the engine's chunk. */
interface EngineParts {
  /** The values of fields that a create leaves out. */
  blankRecords: { readonly [R in QueuedResource]: BlankOf<R> }
  versions: typeof withShownVersions
}
let parts: EngineParts | undefined

/**
 * Sets what the first screen does not load. It comes with the engine, before which no operations are shown.
 */
export function provideEngineParts(known: EngineParts): void {
  parts = known
}

/** Overlay rules of one resource. */
interface Rules<Rec, Body> {
  /** Fields of a new record that its schema leaves open, or fills in otherwise. */
  defaults?: (operation: Operation) => Partial<Rec>
  /** The fields in the body of a create or edit, converted to the shape of a record. */
  fieldsOf?: (body: Body, before: Partial<Rec>) => Partial<Rec>
  /** Applies the server's rules for derived fields. `before` is undefined after a create. */
  derive?: (after: Rec, before: Rec | undefined) => Rec
  /** The record after an append operation. */
  applyAppend?: (record: Rec, operation: Operation) => Rec
}

type BodiesOf<R extends QueuedResource> = BodyOf<R, 'create'> | BodyOf<R, 'update'>
type RequiredIn<T> = { [F in keyof T]-?: undefined extends T[F] ? never : F }[keyof T]

/** Fields that neither the schema fills in nor a create must have. */
type OpenFields<R extends QueuedResource> = Exclude<
  keyof RecordOf<R>,
  keyof BlankOf<R> | keyof BaseRecord | RequiredIn<BodyOf<R, 'create'>>
>

/** The rules of a resource; those that it cannot do without are required. */
type RulesOf<R extends QueuedResource> = Rules<RecordOf<R>, BodiesOf<R>> &
  ([OpenFields<R>] extends [never]
    ? unknown
    : { defaults: (operation: Operation) => Pick<RecordOf<R>, OpenFields<R>> }) &
  ([DefinedFields<BodiesOf<R>>] extends [Partial<RecordOf<R>>] ? unknown : { fieldsOf: unknown })

/** The rules with the blank record of their resource. */
interface BoundRules<Rec, Body> extends Rules<Rec, Body> {
  blank: object
}

/** Applies operations, in queue order, to stored records. */
export type Overlay<Rec> = (
  stored: readonly Rec[],
  operations: readonly Operation[],
) => readonly Rec[]

/** The records that a record is deleted with, as on the server, by the field with their id. */
const DELETED_WITH = { success_plan_id: 'success_plans', initiative_id: 'initiatives' } as const

/**
 * The records without those that a deletion in the outbox takes away, and those that go with them. A rejected
 * deletion takes nothing away. Without a deletion they keep their identity.
 */
export function withoutDeleted<Rec extends { id: string }>(
  resource: ResourceName,
  records: readonly Rec[],
  operations: readonly Operation[],
): readonly Rec[] {
  const deletions = operations.filter(
    (one) => kindOf(one) === 'delete' && one.state !== 'attention',
  )
  if (deletions.length === 0) return records
  const isGone = (table: ResourceName, id: unknown) =>
    deletions.some((one) => subjectOf(one) === table && recordIdOf(one) === id)
  const ties = Object.entries({ ...DELETED_WITH, id: resource })
  return records.filter(
    (record: Record<string, unknown>) =>
      !ties.some(([field, table]) => isGone(table, record[field])),
  )
}

/**
 * The overlay of one resource. Records without operations, and a list without any, keep their
 * identity. A rejected edit is not applied; a rejected create is shown, so that it can be corrected.
 */
export const overlayOf =
  <R extends QueuedResource>(resource: R, rules: RulesOf<R>): Overlay<RecordOf<R>> =>
  (stored, operations) => {
    const own = operations.filter(
      (operation) => subjectOf(operation) === resource && kindOf(operation) !== 'delete',
    )
    if (own.length === 0) return withoutDeleted(resource, stored, operations)
    if (!parts) throw new Error('The engine has not started yet.')
    const all: Rules<RecordOf<R>, BodiesOf<R>> = rules
    const blank = parts.blankRecords[resource]
    const applied = applyOperations(stored, own, { ...all, blank })
    return withoutDeleted(resource, parts.versions(stored, applied, own), operations)
  }

function applyOperations<Rec extends BaseRecord, Body>(
  stored: readonly Rec[],
  operations: readonly Operation[],
  rules: BoundRules<Rec, Body>,
): readonly Rec[] {
  const records = new Map(stored.map((record) => [record.id, record]))
  for (const operation of operations) {
    const known = records.get(recordIdOf(operation) ?? '')
    const now =
      kindOf(operation) === 'create'
        ? (known ?? afterCreate(operation, rules))
        : known && afterChange(known, operation, rules)
    if (now) records.set(now.id, now)
  }
  return [...records.values()]
}

function afterCreate<Rec extends BaseRecord, Body>(
  operation: Operation,
  { blank, defaults, fieldsOf = asRecordFields, derive = (after) => after }: BoundRules<Rec, Body>,
): Rec | undefined {
  const id = createdRecordId(operation)
  if (id === undefined) return undefined
  const before = { ...blank, ...defaults?.(operation) } as Partial<Rec>
  const { user_id: created_by, created_at } = operation
  const base: BaseRecord = { id, version: 0, created_by, created_at, updated_at: created_at }
  // Safe cast: `RulesOf` requires what is missing otherwise.
  const created = { ...before, ...fieldsOf(operation.input.body as Body, before), ...base } as Rec
  return { ...derive(created, undefined), ...answerOf<Rec>(operation) }
}

function afterChange<Rec extends BaseRecord, Body>(
  known: Rec,
  operation: Operation,
  { fieldsOf = asRecordFields, derive = (after) => after, applyAppend }: BoundRules<Rec, Body>,
): Rec {
  if (operation.state === 'attention') return known
  const answer = answerOf<Rec>(operation)
  // The replica already has that answer or a later one. Version 0: the server does not count versions.
  if (answer?.version && known.version >= answer.version) return known
  if (kindOf(operation) === 'append')
    return { ...(applyAppend?.(known, operation) ?? known), updated_at: operation.created_at }
  const fields = fieldsOf(operation.input.body as Body, known)
  return { ...derive({ ...known, ...fields, updated_at: operation.created_at }, known), ...answer }
}

/**
 * The answer of an acknowledged operation, validated by the engine with the call's schema. Some servers answer with a
 * part of the record.
 */
export const answerOf = <T>({ state, answer }: Operation): Partial<T> | undefined =>
  state === 'acknowledged' ? (answer as Partial<T> | undefined) : undefined

type DefinedFields<Body> = { [Name in keyof Body]?: Exclude<Body[Name], undefined> }

/** The fields that are not undefined. */
export const definedFields = <Body extends object>(body: Body): DefinedFields<Body> =>
  Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined),
  ) as DefinedFields<Body>

/** The body as fields of the record. For other shapes `RulesOf` requires a rule. */
const asRecordFields = <Rec, Body>(body: Body) =>
  definedFields(body as Body & object) as unknown as Partial<Rec>

/**
 * All records of a resource of the active organisation with the operations in the outbox applied, in
 * the order of `compare`; undefined while loading.
 */
export function useRecords<R extends QueuedResource>(
  resource: R,
  overlay: Overlay<RecordOf<R>>,
  compare?: (a: RecordOf<R>, b: RecordOf<R>) => number,
) {
  const query = useQuery(recordsQuery(resource))
  const operations = useOperations()
  const records = useMemo(() => {
    const all = overlay(query.data ?? [], operations)
    if (query.data === undefined && all.length === 0) return undefined
    return compare ? all.toSorted(compare) : all
  }, [query.data, operations, overlay, compare])
  return { query, records }
}
