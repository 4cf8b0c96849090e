// The routes' queries in one organisation among many never scan a whole table. PostgreSQL itself logs
// the plan of every statement.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { openPostgresDatabase, type Database } from '../../../server/database/database.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'
import { asSuperuser, urlsOf } from './databases.ts'
import { waitFor } from '../../wait-for.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const { folder } = inject('postgres') ?? { folder: '' }
/** How many copies of the test's organisation there are for others. */
const OTHERS = 100
const OTHER_USERS = 5_000

let world: ApiFixture
let observed: Database
let name: string
let mia: ApiUser
const ids = { account: uuidv7(), plan: uuidv7(), initiative: uuidv7(), action: uuidv7() }
beforeAll(async () => {
  world = await ApiFixture.open()
  const current = sql<{ name: string }>`select current_database() as name`
  const { rows } = await world.database.system((tx) => current.execute(tx))
  name = rows[0]?.name ?? ''
  mia = await world.createOwner('Mia')
  await fill(mia)
  await copyOrganisation(mia.organisation)
  await asSuperuser(
    folder,
    name,
    // Small tables too: a remaining sequential scan is one that no index can replace.
    `alter database ${name} set enable_seqscan = off`,
    `alter database ${name} set auto_explain.log_min_duration = 0`,
    `alter database ${name} set auto_explain.log_format = json`,
    // Foreign key checks read rows as well.
    `alter database ${name} set auto_explain.log_nested_statements = on`,
  )
  observed = await openPostgresDatabase(urlsOf(folder, name))
  mia = mia.atApp(world.appWith({ database: observed }))
})
afterAll(async () => {
  await observed.close()
  await world.close()
})

async function fill(person: ApiUser): Promise<void> {
  const { account: account_id, plan: success_plan_id, initiative: initiative_id } = ids
  await person.post('/api/v1/accounts', { id: account_id, name: 'A' })
  await person.createPlan({ id: success_plan_id, account_id })
  for (let index = 0; index < 30; index += 1) {
    await person.post('/api/v1/accounts', { name: `Account ${index}` })
    await person.createPlan({ title: `Plan ${index}` })
    await person.post(`/api/v1/success-plans/${success_plan_id}/updates`, { body: 'Words' })
  }
  await person.post('/api/v1/initiatives', { id: initiative_id, title: 'I', success_plan_id })
  await person.post('/api/v1/actions', { id: ids.action, title: 'A', initiative_id })
}

/** Adds other organisations with the same records under their own keys. */
async function copyOrganisation(organisation_id: string): Promise<void> {
  await asSuperuser(
    folder,
    name,
    'set session_replication_role = replica',
    `create table others as select gen_random_uuid() as id from generate_series(1, ${OTHERS})`,
    `do $$
    declare t text;
    begin
      insert into organisations select (jsonb_populate_record(o, jsonb_build_object('id', others.id))).*
        from organisations o cross join others where o.id = '${organisation_id}';
      for t in
        select attrelid::regclass::text from pg_attribute join pg_class on pg_class.oid = attrelid
        where relnamespace = current_schema()::regnamespace and relkind = 'r'
          and attname = 'organisation_id' and not attisdropped
      loop
        execute format(
          'insert into %I select (jsonb_populate_record(r, jsonb_build_object(''organisation_id'', others.id) || unique_values)).*
           from %I r cross join others
           cross join lateral (select case when to_jsonb(r) ? ''token_hash''
             then jsonb_build_object(''token_hash'', gen_random_uuid()) else ''{}'' end as unique_values) u
           where r.organisation_id = ''${organisation_id}''', t, t);
      end loop;
    end
    $$`,
    'drop table others',
    // Adds unrelated users and organisations.
    `insert into users (id, email, password_hash, name, created_at, updated_at)
       select id, id || '@example.com', '-', 'Other user', now(), now()
       from (select gen_random_uuid() as id from generate_series(1, ${OTHER_USERS})) as others`,
    `insert into organisations (id, name, user_id, version, first_version, created_at, updated_at)
       select gen_random_uuid(), 'Somewhere', id, 1, 1, now(), now() from users`,
    `insert into token_families (id, user_id, confirmed_at, last_used_at, created_at)
       select id, id, now(), now(), now() from users on conflict do nothing`,
    `insert into access_tokens (hash, family_id, generation, expires_at)
       select uuid_send(id), id, 0, now() from users on conflict do nothing`,
    'vacuum analyze',
  )
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Node[]
}
interface Plan {
  'Query Text': string
  Plan: Node
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The plans logged for this database so far. */
async function plansNoted(): Promise<Plan[]> {
  const end = uuidv4()
  await observed.system((tx) =>
    tx.selectFrom('users').select('id').where('email', '=', end).execute(),
  )
  const log = await waitFor(async () => {
    const text = await readFile(join(folder, 'log'), 'utf8')
    expect(text).toContain(end)
    return text
  })
  const entries = log.matchAll(/^(\w*) LOG: {2}duration: [\d.]+ ms {2}plan:\n((?:\t.*\n)+)/gm)
  return [...entries]
    .filter(([, database]) => database === name)
    .map(([, , json = '']) => JSON.parse(json) as Plan)
}

const LISTS: Record<string, string[]> = {
  'success-plans': [
    'sort=title',
    'sort=-title',
    'sort=end_date',
    'sort=-end_date',
    'sort=-updated_at',
    'sort=progress',
    'filters[title]=Plan',
    'filters[status][]=planned&filters[status][]=paused',
    'filters[type]=project',
    `filters[account_id]=${ids.account}`,
    'filters[owner_id]=OWNER',
  ],
  accounts: [
    'sort=-name',
    'filters[title]=A',
    'filters[status][]=active',
    'filters[owner_id]=OWNER',
  ],
  initiatives: ['filters[title]=I', `filters[success_plan_id]=${ids.plan}`],
  actions: [
    'filters[title]=A',
    `filters[success_plan_id]=${ids.plan}`,
    `filters[initiative_id]=${ids.initiative}`,
    'filters[assignee_id]=OWNER',
  ],
  templates: [],
  'organisation-users': ['filters[title]=Mia', 'sort=-created_at'],
  organisations: [],
  [`success-plans/${ids.plan}/updates`]: [],
}

test('no request scans a whole table', async () => {
  const wants = async (status: number, answer: ReturnType<ApiUser['call']>) =>
    expect(await answer.then(({ status, text }) => [status, status < 300 || text])).toEqual([
      status,
      true,
    ])
  const get = (path: string) => wants(200, mia.get(`/api/v1/${path}`))
  for (const [list, queries] of Object.entries(LISTS))
    for (const query of ['', 'page=2&per_page=5', ...queries])
      await get(`${list}?${query.replace('OWNER', mia.id)}`)
  for (const since of ['0', String(await latest())]) await get(`changes?since=${since}`)
  for (const path of ['userinfo', 'subscriptions', 'onboarding', 'notification-consents'])
    await get(path)
  const made = { plan: uuidv7(), account: uuidv7(), initiative: uuidv7(), action: uuidv7() }
  const post = (path: string, body: object) =>
    wants(201, mia.post(`/api/v1/${path}`, body, { 'Idempotency-Key': uuidv4() }))
  const owner_id = mia.id
  await post('accounts', { id: made.account, name: 'New', owner_id })
  await post('success-plans', { id: made.plan, title: 'New', account_id: made.account, owner_id })
  const success_plan_id = made.plan
  await post(`success-plans/${made.plan}/updates`, {
    body: 'On it',
    status: 'in-progress',
    progress: 5,
  })
  await post('initiatives', { id: made.initiative, title: 'New', success_plan_id })
  await post('actions', { id: made.action, title: 'New', initiative_id: made.initiative })
  const edit = (method: string, path: string, body: object) =>
    wants(200, mia.call(method, `/api/v1/${path}`, { body }))
  await edit('PUT', 'userinfo', { name: 'Mia L.' })
  await edit('PUT', `accounts/${made.account}`, { name: 'Newer' })
  await edit('PATCH', `success-plans/${made.plan}`, { title: 'Newer', progress_mode: 'auto' })
  await edit('PUT', `initiatives/${made.initiative}`, { title: 'Newer' })
  await edit('PUT', 'actions', { id: made.action, status: 'done' })
  const remove = (path: string) => wants(204, mia.call('DELETE', `/api/v1/${path}`))
  await remove(`actions/${made.action}`)
  await remove(`success-plans/${made.plan}`)
  await remove(`accounts/${made.account}`)

  const plans = await plansNoted()
  expect(plans.length).toBeGreaterThan(200)
  const slow = plans.flatMap(({ 'Query Text': query, Plan }) =>
    nodesOf(Plan)
      .filter(
        (node) =>
          node['Relation Name'] !== 'migrations' &&
          (node['Node Type'] === 'Seq Scan' ||
            (/Index (Only )?Scan$/.test(node['Node Type']) && node['Index Cond'] === undefined)),
      )
      .map(
        (node) =>
          `${node['Node Type']} on ${node['Relation Name'] ?? node['Index Name']}: ${query}`,
      ),
  )
  expect([...new Set(slow)]).toEqual([])
})

const latest = async () => (await mia.get('/api/v1/changes?since=0')).json.version as number
