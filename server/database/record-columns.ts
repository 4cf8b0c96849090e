// The contract's records and the tables, tied both ways: a field without a column, a column that no
// list names and a writable field that no table has do not compile.
import type { Insertable, Selectable } from 'kysely'
import type * as v from 'valibot'
import type { endpoints } from '../../contract/endpoints.ts'
import { recordSchemas, type RecordOf } from '../../contract/resource-schemas.ts'
import type { CallOf, ResourceName } from '../../contract/resources.ts'
import type { Tables } from './tables.ts'

type FieldLists = Partial<Record<ResourceName, readonly string[]>>

/** Columns that records are not read with: the organisation, or what is listed here instead. */
const hidden = { organisation_users: ['role', 'version'] } as const satisfies FieldLists
const HIDDEN = ['organisation_id'] as const

/** Fields of records that no column holds: a query or a presenter adds them. */
const computed = {
  success_plan_updates: ['success_plan_version'],
  accounts: ['success_plans_count'],
  organisation_users: ['name', 'email', 'avatar_url', 'pivot'],
} as const satisfies FieldLists

/** Fields of creates and edits that no column of their own holds: their handlers use them up. */
interface Consumed {
  success_plans: 'note'
  templates: 'from_success_plan_id'
  organisation_users: 'user_id'
}

type HiddenColumn<R> = R extends keyof typeof hidden
  ? (typeof hidden)[R][number]
  : (typeof HIDDEN)[number]
type ComputedField<R> = R extends keyof typeof computed ? (typeof computed)[R][number] : never
type ConsumedField<R> = R extends keyof Consumed ? Consumed[R] : never

/** Fields that are read but have no column. */
type Missing<R extends ResourceName> = Exclude<
  keyof RecordOf<R>,
  keyof Selectable<Tables[R]> | ComputedField<R>
>

/** Columns that are neither read nor hidden. */
type Unlisted<R extends ResourceName> = Exclude<
  keyof Selectable<Tables[R]>,
  keyof RecordOf<R> | HiddenColumn<R>
>

type BodyFields<N> = N extends keyof typeof endpoints
  ? (typeof endpoints)[N] extends { body?: infer B }
    ? NonNullable<B> extends v.GenericSchema
      ? keyof v.InferOutput<NonNullable<B>>
      : never
    : never
  : never

/** Fields of creates and edits that have no column. */
type Unwritable<R extends ResourceName> = Exclude<
  BodyFields<CallOf<R, 'create'>> | BodyFields<CallOf<R, 'update'>>,
  keyof Insertable<Tables[R]> | ConsumedField<R>
>

type Mismatch = {
  [R in ResourceName]: [Missing<R> | Unlisted<R> | Unwritable<R>] extends [never]
    ? never
    : { resource: R; missing: Missing<R>; unlisted: Unlisted<R>; unwritable: Unwritable<R> }
}[ResourceName]

/** Does not compile where a record and its table differ; the error names the fields. */
export const columnsMatch: [Mismatch] extends [never] ? true : Mismatch = true

/** The columns of the resource's table, as the contract has them. */
export function columnsOf(resource: ResourceName): string[] {
  const added: readonly string[] = (computed as FieldLists)[resource] ?? []
  const stored = recordFields(resource).filter((field) => !added.includes(field))
  return [...stored, ...((hidden as FieldLists)[resource] ?? HIDDEN)]
}

/** The fields that a record of that resource is read with. */
const recordFields = (resource: ResourceName): readonly string[] =>
  Object.keys(recordSchemas[resource].entries)

type Always<R extends ResourceName> = {
  [F in keyof RecordOf<R>]-?: undefined extends RecordOf<R>[F] ? never : F
}[keyof RecordOf<R>]

/** A row as the contract's record: only the fields that the contract lists. */
export function presentRecord<R extends ResourceName, Row extends Record<Always<R>, unknown>>(
  resource: R,
  row: Row,
): Pick<Row, keyof Row & keyof RecordOf<R>> {
  const record: Record<string, unknown> = {}
  for (const field of recordFields(resource))
    if (field in row) record[field] = (row as Record<string, unknown>)[field]
  return record as Pick<Row, keyof Row & keyof RecordOf<R>>
}
