// Every key and index begins with the organisation, so that tables can be partitioned by it.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resourceNames } from '../../../contract/resources.ts'
import type { Database } from '../../../server/database/database.ts'
import { columnsMatch, columnsOf } from '../../../server/database/record-columns.ts'
import { emptyDatabase } from '../fixtures/empty-database.ts'

let database: Database
beforeAll(async () => {
  database = await emptyDatabase()
})
afterAll(() => database.close())

/** Indexes for queries before an organisation is known, or across all of them. */
const OTHERWISE = [
  // The organisations of a user.
  'organisation_users_user',
  // The organisations that keep the name of a user whose account is deleted.
  'former_members_user',
  // The invitation of a token.
  'organisation_invites_token',
  // Purge: old keys.
  'idempotency_keys_age',
  // Jobs: due notifications.
  'pushes_due',
  // Jobs: subscriptions that have ended.
  'subscriptions_end',
]

const rows = async <T>(query: ReturnType<typeof sql<T>>) =>
  (await database.system((tx) => query.execute(tx))).rows

const TENANTS = sql`select attrelid from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    and attname = 'organisation_id' and not attisdropped`

test('every key and index of organisation records begins with the organisation', async () => {
  const indexes = await rows(sql<{
    name: string
    first: string
    is_unique: boolean
    columns: string
  }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid, 1, true) as first
    from pg_index where indrelid in (${TENANTS}) order by 1`)
  expect(indexes.length).toBeGreaterThan(20)
  const wrong = indexes.filter(
    ({ name, first }) => first !== 'organisation_id' && !OTHERWISE.includes(name),
  )
  expect(wrong).toEqual([])
})

test('every organisation record has a primary key', async () => {
  const keyless = await rows(sql`
    select attrelid::regclass::text as name from (${TENANTS}) as tenants
    where not exists (select from pg_index where indrelid = attrelid and indisprimary)`)
  expect(keyless).toEqual([])
})

test('records refer to records of their own organisation only', async () => {
  const references = await rows(sql<{ name: string; columns: string[] }>`
    select conname as name, (
      select array_agg(attname::text) from pg_attribute
      where attrelid = conrelid and attnum = any (conkey)
    ) as columns
    from pg_constraint
    where contype = 'f' and conrelid in (${TENANTS}) and confrelid in (${TENANTS})`)
  expect(references.length).toBeGreaterThan(5)
  expect(references.filter(({ columns }) => !columns.includes('organisation_id'))).toEqual([])
})

test('the columns of each resource are the fields of its records', async () => {
  const columns = await rows(sql<{ table: string; column: string }>`
    select attrelid::regclass::text as table, attname::text as column from pg_attribute
    where attrelid in (${TENANTS}) and attnum > 0 and not attisdropped`)
  const storedIn = (table: string) =>
    columns
      .filter((one) => one.table === table)
      .map(({ column }) => column)
      // Written and read by the database only, for If-Match.
      .filter((column) => column !== 'field_changes')
  for (const name of resourceNames)
    expect({ name, columns: storedIn(name).toSorted() }).toEqual({
      name,
      columns: columnsOf(name).toSorted(),
    })
  expect(columnsMatch).toBe(true)
})
