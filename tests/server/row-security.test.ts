// Isolation a second time: the conditions of the queries forgotten, the database still refuses.
import {
  BinaryOperationNode,
  ColumnNode,
  OperationNodeTransformer,
  OperatorNode,
  ReferenceNode,
  sql,
  ValueNode,
  type KyselyPlugin,
} from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Tx } from '../../server/database.ts'
import { World, type Person } from './world.ts'

let world: World
let mia: Person
let stranger: Person
let theirs: { plan: string; account: string; update: string }
beforeAll(async () => {
  world = await World.open()
  mia = await world.owner('Mia')
  stranger = await world.owner('Stranger')
  const at = world.appWith({ database: careless(world.database) })
  stranger = stranger.at(at)
  theirs = {
    plan: await mia.plan({ title: 'Secret plan' }),
    account: uuidv7(),
    update: uuidv7(),
  }
  await mia.post('/api/v1/accounts', { id: theirs.account, name: 'Secret account' })
  const words = { id: theirs.update, body: 'Secret words' }
  await mia.post(`/api/v1/success-plans/${theirs.plan}/updates`, words)
  const own = await stranger.plan({ title: 'Own plan' })
  await stranger.post('/api/v1/accounts', { name: 'Own' })
  await stranger.post(`/api/v1/success-plans/${own}/updates`, { body: 'Own words' })
})
afterAll(() => world.close())

let forgotten = 0

/** Each `organisation_id = …` of a query becomes `true = true`. */
class Forgetting extends OperationNodeTransformer {
  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    const { leftOperand: left } = node
    const isCondition =
      ReferenceNode.is(left) &&
      ColumnNode.is(left.column) &&
      left.column.column.name === 'organisation_id'
    if (!isCondition) return super.transformBinaryOperation(node)
    forgotten += 1
    const [yes, equals] = [ValueNode.createImmediate(true), OperatorNode.create('=')]
    return BinaryOperationNode.create(yes, equals, yes)
  }
}

const forgetting: KyselyPlugin = {
  transformQuery: ({ node }) => new Forgetting().transformNode(node),
  transformResult: ({ result }) => Promise.resolve(result),
}

/** The same database, for handlers whose queries forgot the organisation. */
const careless = (database: Database): Database => ({
  ...database,
  tenant: (organisation_id, work) =>
    database.tenant(organisation_id, (tx) => work(tx.withPlugin(forgetting))),
})

test('queries that forgot the organisation find nothing of another one', async () => {
  forgotten = 0
  const [plan, account] = [
    `/api/v1/success-plans/${theirs.plan}`,
    `/api/v1/accounts/${theirs.account}`,
  ]
  const title = { title: 'Taken over', name: 'Taken over' }
  const answers = [
    await stranger.get(plan),
    await stranger.call('PATCH', plan, { body: title }),
    await stranger.call('DELETE', plan),
    await stranger.get(`${plan}/updates`),
    await stranger.post(`${plan}/updates`, { body: 'Mine' }),
    await stranger.get(account),
    await stranger.call('PUT', account, { body: title }),
    await stranger.call('DELETE', account),
  ]
  for (const answer of answers)
    expect(answer.all).toEqual({ status: 404, body: { message: 'Not Found' } })
  expect(forgotten).toBeGreaterThan(answers.length)
  for (const path of ['success-plans', 'accounts', 'changes?since=0', 'organisation-users']) {
    const { status, text } = await stranger.get(`/api/v1/${path}`)
    expect(status).toBe(200)
    expect(text).toContain(path === 'organisation-users' ? stranger.id : 'Own')
    expect(text).not.toMatch(new RegExp(`Secret|${mia.id}|${theirs.plan}|${theirs.account}`))
  }
  expect((await mia.get(plan)).data()).toMatchObject({ title: 'Secret plan' })
})

const tablesOf = (tx: Tx, more = sql``) =>
  sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and relname not in ('migrations', 'fsync_probe') ${more} order by 1`
    .execute(tx)
    .then(({ rows }) => rows.map(({ name }) => name))

const OF_AN_ORGANISATION = sql`and exists (
  select from pg_attribute
  where attrelid = pg_class.oid and attname = 'organisation_id' and not attisdropped)`

test('every table is under row level security, also for its owner', async () => {
  const [all, bound] = await world.database.system(async (tx) => [
    await tablesOf(tx),
    await tablesOf(tx, sql`and relrowsecurity and relforcerowsecurity`),
  ])
  expect(all.length).toBeGreaterThan(10)
  expect(bound).toEqual(all)
})

test('a query without any condition sees the active organisation alone', async () => {
  const tables = await world.database.system((tx) => tablesOf(tx, OF_AN_ORGANISATION))
  const idsIn = (table: string) => async (tx: Tx) => {
    const { rows } = await sql<{ id: string }>`
      select distinct organisation_id as id from ${sql.table(table)}`.execute(tx)
    return rows.map(({ id }) => id)
  }
  const inBoth: string[] = []
  for (const table of tables) {
    const everything = await world.database.system(idsIn(table))
    if ([mia, stranger].every(({ organisation }) => everything.includes(organisation)))
      inBoth.push(table)
    const seen = await world.database.tenant(mia.organisation, idsIn(table))
    expect([table, seen.filter((id) => id !== mia.organisation)]).toEqual([table, []])
  }
  expect(inBoth).toEqual(
    expect.arrayContaining([
      'accounts',
      'organisation_users',
      'success_plan_updates',
      'success_plans',
    ]),
  )
})

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error & { code?: string }) => error.code,
  )
const INSUFFICIENT_PRIVILEGE = '42501'

test('writes without any condition change the active organisation alone', async () => {
  await world.database.tenant(stranger.organisation, (tx) =>
    sql`update success_plans set title = 'Own, changed'`.execute(tx),
  )
  await world.database.tenant(stranger.organisation, (tx) =>
    sql`update organisations set name = 'Own, changed'`.execute(tx),
  )
  await world.database.tenant(stranger.organisation, (tx) =>
    sql`delete from success_plan_updates`.execute(tx),
  )
  const plan = await mia.get(`/api/v1/success-plans/${theirs.plan}`)
  expect(plan.data()).toMatchObject({ title: 'Secret plan' })
  const updates = await mia.get(`/api/v1/success-plans/${theirs.plan}/updates`)
  expect(updates.data<{ id: string }[]>().map(({ id }) => id)).toEqual([theirs.update])
  const { text } = await mia.get('/api/v1/organisations')
  expect(text).not.toContain('Own, changed')
})

test('no row is put into, or moved to, another organisation', async () => {
  const into = (work: (tx: Tx) => Promise<unknown>) =>
    refusal(world.database.tenant(stranger.organisation, work))
  const tombstone = sql`insert into tombstones (organisation_id, type, id, version)
    values (${mia.organisation}, 'accounts', ${uuidv7()}, 1)`
  expect(await into((tx) => tombstone.execute(tx))).toBe(INSUFFICIENT_PRIVILEGE)
  const move = sql`update accounts set organisation_id = ${mia.organisation}`
  expect(await into((tx) => move.execute(tx))).toBe(INSUFFICIENT_PRIVILEGE)
})

test('members see of people the members, and of nobody the password', async () => {
  const see = (columns: string) =>
    world.database.tenant(stranger.organisation, async (tx) => {
      const { rows } = await sql<{ id: string }>`select ${sql.raw(columns)} from users`.execute(tx)
      return rows.map(({ id }) => id)
    })
  expect(await see('id, name, email')).toEqual([stranger.id])
  expect(await refusal(see('id, password_hash'))).toBe(INSUFFICIENT_PRIVILEGE)
  const tokens = sql`select hash from refresh_tokens`
  const read = world.database.tenant(stranger.organisation, (tx) => tokens.execute(tx))
  expect(await refusal(read)).toBe(INSUFFICIENT_PRIVILEGE)
})

test('who only signs in sees no record of any organisation', async () => {
  for (const table of ['accounts', 'success_plans', 'success_plan_updates', 'tombstones']) {
    const read = world.database.auth((tx) => sql`select 1 from ${sql.table(table)}`.execute(tx))
    expect(await refusal(read)).toBe(INSUFFICIENT_PRIVILEGE)
  }
})

test('what a transaction may see ends with it', async () => {
  const settings = (tx: Tx) =>
    sql<{ role: string; id: string | null }>`select current_user as role,
      nullif(current_setting('app.organisation_id', true), '') as id`.execute(tx)
  for (let turn = 0; turn < 12; turn += 1) {
    await world.database.tenant(mia.organisation, settings)
    const { rows } = await world.database.auth(settings)
    expect(rows).toEqual([{ role: 'cairn_auth', id: null }])
  }
})

test('a statement that failed and was overlooked confirms nothing', async () => {
  const work = world.database.tenant(mia.organisation, async (tx) => {
    await sql`update accounts set name = 'Never kept'`.execute(tx)
    await sql`select 1 / 0`.execute(tx).catch(() => undefined)
    return 'kept'
  })
  await expect(work).rejects.toThrow()
  expect((await mia.get(`/api/v1/accounts/${theirs.account}`)).data()).toMatchObject({
    name: 'Secret account',
  })
})

test('a statement after the end of its transaction is refused', async () => {
  const { tx } = await world.database.tenant(mia.organisation, (tx) => Promise.resolve({ tx }))
  await expect(sql`select 1`.execute(tx)).rejects.toThrow()
})
