// Row-level security isolates organisations even if a query lacks its condition.
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
import type { Tx } from '../../../server/database/connection.ts'
import type { Database } from '../../../server/database/database.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
let outsider: ApiUser
let theirs: { plan: string; account: string; update: string }
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  outsider = await world.createOwner('Outsider')
  const at = world.appWith({ database: careless(world.database) })
  outsider = outsider.atApp(at)
  theirs = {
    plan: await mia.createPlan({ title: 'Secret plan' }),
    account: uuidv7(),
    update: uuidv7(),
  }
  await mia.post('/api/v1/accounts', { id: theirs.account, name: 'Secret account' })
  const words = { id: theirs.update, body: 'Secret words' }
  await mia.post(`/api/v1/success-plans/${theirs.plan}/updates`, words)
  const own = await outsider.createPlan({ title: 'Own plan' })
  await outsider.post('/api/v1/accounts', { name: 'Own' })
  await outsider.post(`/api/v1/success-plans/${own}/updates`, { body: 'Own words' })
})
afterAll(() => world.close())

let forgotten = 0

/** Replaces each `organisation_id = …` of a query by `true = true`. */
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

/** The same database, for handlers whose queries lack the organisation condition. */
const careless = (database: Database): Database => ({
  ...database,
  tenant: (id, work, ...rest) =>
    database.tenant(id, (tx, found) => work(tx.withPlugin(forgetting), found), ...rest),
})

test('queries without an organisation filter return nothing foreign', async () => {
  forgotten = 0
  const [plan, account] = [
    `/api/v1/success-plans/${theirs.plan}`,
    `/api/v1/accounts/${theirs.account}`,
  ]
  const title = { title: 'Taken over', name: 'Taken over' }
  const answers = [
    await outsider.get(plan),
    await outsider.call('PATCH', plan, { body: title }),
    await outsider.call('DELETE', plan),
    await outsider.get(`${plan}/updates`),
    await outsider.post(`${plan}/updates`, { body: 'Mine' }),
    await outsider.get(account),
    await outsider.call('PUT', account, { body: title }),
    await outsider.call('DELETE', account),
  ]
  for (const answer of answers)
    expect(answer.statusAndBody).toEqual({ status: 404, body: { message: 'Not Found' } })
  expect(forgotten).toBeGreaterThan(answers.length)
  for (const path of ['success-plans', 'accounts', 'changes?since=0', 'organisation-users']) {
    const { status, text } = await outsider.get(`/api/v1/${path}`)
    expect(status).toBe(200)
    expect(text).toContain(path === 'organisation-users' ? outsider.id : 'Own')
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

test('every table has row level security, also for its owner', async () => {
  const [all, bound] = await world.database.system(async (tx) => [
    await tablesOf(tx),
    await tablesOf(tx, sql`and relrowsecurity and relforcerowsecurity`),
  ])
  expect(all.length).toBeGreaterThan(10)
  expect(bound).toEqual(all)
})

test('an unconditional query sees the active organisation only', async () => {
  const tables = await world.database.system((tx) => tablesOf(tx, OF_AN_ORGANISATION))
  const idsIn = (table: string) => async (tx: Tx) => {
    const { rows } = await sql<{ id: string }>`
      select distinct organisation_id as id from ${sql.table(table)}`.execute(tx)
    return rows.map(({ id }) => id)
  }
  const inBoth: string[] = []
  for (const table of tables) {
    const everything = await world.database.system(idsIn(table))
    if ([mia, outsider].every(({ organisation }) => everything.includes(organisation)))
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

const errorCodeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error & { code?: string }) => error.code,
  )
const INSUFFICIENT_PRIVILEGE = '42501'

test('an unconditional write changes the active organisation only', async () => {
  await world.database.tenant(outsider.organisation, (tx) =>
    sql`update success_plans set title = 'Own, changed'`.execute(tx),
  )
  await world.database.tenant(outsider.organisation, (tx) =>
    sql`update organisations set name = 'Own, changed'`.execute(tx),
  )
  await world.database.tenant(outsider.organisation, (tx) =>
    sql`delete from success_plan_updates`.execute(tx),
  )
  const plan = await mia.get(`/api/v1/success-plans/${theirs.plan}`)
  expect(plan.data()).toMatchObject({ title: 'Secret plan' })
  const updates = await mia.get(`/api/v1/success-plans/${theirs.plan}/updates`)
  expect(updates.data<{ id: string }[]>().map(({ id }) => id)).toEqual([theirs.update])
  const { text } = await mia.get('/api/v1/organisations')
  expect(text).not.toContain('Own, changed')
})

test('no row can be inserted into or moved to another organisation', async () => {
  const into = (work: (tx: Tx) => Promise<unknown>) =>
    errorCodeOf(world.database.tenant(outsider.organisation, work))
  const tombstone = sql`insert into tombstones (organisation_id, type, id, version)
    values (${mia.organisation}, 'accounts', ${uuidv7()}, 1)`
  expect(await into((tx) => tombstone.execute(tx))).toBe(INSUFFICIENT_PRIVILEGE)
  const move = sql`update accounts set organisation_id = ${mia.organisation}`
  expect(await into((tx) => move.execute(tx))).toBe(INSUFFICIENT_PRIVILEGE)
})

test('members see other members only, and no password', async () => {
  const see = (columns: string) =>
    world.database.tenant(outsider.organisation, async (tx) => {
      const { rows } = await sql<{ id: string }>`select ${sql.raw(columns)} from users`.execute(tx)
      return rows.map(({ id }) => id)
    })
  expect(await see('id, name, email')).toEqual([outsider.id])
  expect(await errorCodeOf(see('id, password_hash'))).toBe(INSUFFICIENT_PRIVILEGE)
  const tokens = sql`select hash from refresh_tokens`
  const read = world.database.tenant(outsider.organisation, (tx) => tokens.execute(tx))
  expect(await errorCodeOf(read)).toBe(INSUFFICIENT_PRIVILEGE)
})

test('sign-in queries cannot read any organisation’s records', async () => {
  for (const table of ['accounts', 'success_plans', 'success_plan_updates', 'tombstones']) {
    const read = world.database.auth((tx) => sql`select 1 from ${sql.table(table)}`.execute(tx))
    expect(await errorCodeOf(read)).toBe(INSUFFICIENT_PRIVILEGE)
  }
})

test('row access ends with the transaction', async () => {
  const settings = (tx: Tx) =>
    sql<{ role: string; id: string | null }>`select current_user as role,
      nullif(current_setting('app.organisation_id', true), '') as id`.execute(tx)
  for (let turn = 0; turn < 12; turn += 1) {
    await world.database.tenant(mia.organisation, settings)
    const { rows } = await world.database.auth(settings)
    expect(rows).toEqual([{ role: 'cairn_auth', id: null }])
  }
})

test('a failed statement that was ignored prevents the commit', async () => {
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

test('a statement after the end of its transaction is rejected', async () => {
  const { tx } = await world.database.tenant(mia.organisation, (tx) => Promise.resolve({ tx }))
  await expect(sql`select 1`.execute(tx)).rejects.toThrow()
})

test('nothing but a UUID becomes part of a statement as an id', async () => {
  const work = () => Promise.resolve()
  for (const id of ['-'.repeat(36), `${'0'.repeat(35)}'`, '']) {
    expect(() => world.database.tenant(id, work)).toThrow(/must be UUIDs/)
    expect(() => world.database.tenantSnapshot(id, work)).toThrow(/must be a UUID/)
  }
})
