// A dump is restored into a cluster without the roles of row level security, and the server does not start on it.
import { expect, inject, test } from 'vitest'
import { Client } from 'pg'
import { openPostgresDatabase } from '../../../server/database/database.ts'
import { asSuperuser, newDatabase, urlAsSuperuser, urlsOf } from './databases.ts'

const { folder: cluster } = inject('postgres') ?? { folder: '' }

/** What `pg_restore` leaves out where the roles are missing. */
const DROP_WHAT_NAMES_ROLES = `do $$
declare policy record;
begin
  for policy in select tablename, policyname from pg_policies where schemaname = current_schema() loop
    execute format('drop policy %I on %I', policy.policyname, policy.tablename);
  end loop;
  execute format('revoke all on all tables in schema %I from cairn_tenant, cairn_auth, cairn_system', current_schema());
end
$$`

/** Policies and privileges of all tables. */
async function rowSecurityOf(database: string): Promise<unknown[]> {
  const client = new Client({ connectionString: urlAsSuperuser(cluster, database) })
  await client.connect()
  try {
    const { rows } = await client.query(`
      select tablename, policyname, roles, cmd, qual, with_check, relacl::text from pg_policies
      join pg_class on relname = tablename and relnamespace = current_schema()::regnamespace
      where schemaname = current_schema() order by 1, 2`)
    return rows
  } finally {
    await client.end()
  }
}

test('a start restores the policies and privileges that a dump without roles lacks', async () => {
  const database = await newDatabase(cluster)
  const before = await rowSecurityOf(database)
  expect(before.length).toBeGreaterThan(40)
  await asSuperuser(cluster, database, DROP_WHAT_NAMES_ROLES)
  const opened = await openPostgresDatabase(urlsOf(cluster, database))
  try {
    expect(await opened.system((tx) => tx.selectFrom('users').select('id').execute())).toEqual([])
  } finally {
    await opened.close()
  }
  expect(await rowSecurityOf(database)).toEqual(before)
})
