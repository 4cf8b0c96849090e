// The tables of records, derived from the contract: each field of a record is a column. Only what a table
// has differently is listed here. tests/server/tenancy/schema.test.ts compares this with the migrations.
import type { ColumnType, Generated, Insertable, JSONColumnType } from 'kysely'
import type * as v from 'valibot'
import type { endpoints } from '../../contract/endpoints.ts'
import { recordSchemas, type RecordOf } from '../../contract/resource-schemas.ts'
import type { CallOf, ResourceName } from '../../contract/resources.ts'

type FieldLists = Partial<Record<ResourceName, readonly string[]>>

/** Columns that records are not read with: the organisation, or what is listed here instead. */
const hidden = {
  organisation_users: ['role', 'version'],
  former_members: ['organisation_id', 'version'],
} as const satisfies FieldLists
const HIDDEN = ['organisation_id'] as const

/** Fields of records that no column holds: a query or a presenter adds them. */
const computed = {
  success_plan_updates: ['success_plan_version'],
  accounts: ['success_plans_count'],
  organisation_users: ['name', 'email', 'avatar_url', 'pivot'],
} as const satisfies FieldLists

/** Columns whose type is not that of the field: never null, or with a default in the database. */
interface OwnTypes {
  success_plans: {
    owner_id: string
    progress: Generated<number>
    progress_mode: Generated<string>
    actions_count: Generated<number>
    actions_done_count: Generated<number>
  }
  success_plan_updates: { user_id: string }
  initiatives: { progress: Generated<number> }
  organisation_users: { role: 'admin' | 'member'; version: number }
  former_members: { left_at: string; version: number }
}

/** Columns that mean the same in each table. */
interface SharedTypes {
  organisation_id: string
  created_by: ColumnType<string, string, never>
  created_at: ColumnType<string, string, never>
  updated_at: string
}

/** Fields of creates and edits that no column of their own holds: their handlers use them up. */
interface Consumed {
  accounts: 'renewal_outcome'
  success_plans: 'note' | 'skip_weekends'
  templates: 'from_success_plan_id'
  organisation_users: 'user_id'
}

type HiddenColumn<R> = R extends keyof typeof hidden
  ? (typeof hidden)[R][number]
  : (typeof HIDDEN)[number]
type ComputedField<R> = R extends keyof typeof computed ? (typeof computed)[R][number] : never
type ConsumedField<R> = R extends keyof Consumed ? Consumed[R] : never
type OwnTypesOf<R> = R extends keyof OwnTypes ? OwnTypes[R] : object

/** Objects and arrays are JSON columns. */
type Column<T> = [Extract<T, object>] extends [never]
  ? T
  : JSONColumnType<Extract<T, object>> | Extract<T, null>

type RecordTable<R extends ResourceName> = {
  [
    F in Exclude<keyof RecordOf<R>, ComputedField<R>> | HiddenColumn<R>
  ]: F extends keyof OwnTypesOf<R>
    ? OwnTypesOf<R>[F]
    : F extends keyof SharedTypes
      ? SharedTypes[F]
      : F extends keyof RecordOf<R>
        ? Column<RecordOf<R>[F]>
        : never
}

/** The row types of all resources, for Kysely. */
export type RecordTables = { [R in ResourceName]: RecordTable<R> }

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
  keyof Insertable<RecordTables[R]> | ConsumedField<R>
>

type Mismatch = {
  [R in ResourceName]: [Unwritable<R>] extends [never]
    ? never
    : { resource: R; unwritable: Unwritable<R> }
}[ResourceName]

/** Does not compile where a request has a field that the record lacks; the error names the fields. */
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
