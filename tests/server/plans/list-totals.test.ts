// Totals of lists: read with the page, once for each version of the organisation.
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
/** How many statements have named the table of plans, and how many have counted rows. */
const statements = { plans: 0, counts: 0 }
beforeAll(async () => {
  world = await ApiFixture.open()
  const { database } = world
  const texts = new WeakMap<object, string>()
  const observer: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      texts.set(queryId, JSON.stringify(node))
      return node
    },
    // Called for each statement that has run.
    async transformResult({ result, queryId }) {
      const text = texts.get(queryId) ?? ''
      if (text.includes('"success_plans"')) statements.plans += 1
      if (text.includes('"count"')) statements.counts += 1
      return result
    },
  }
  const observed: typeof database = {
    ...database,
    tenant: (id, work, ...rest) =>
      database.tenant(id, (tx, found) => work(tx.withPlugin(observer), found), ...rest),
  }
  mia = (await world.createOwner('Mia')).atApp(world.appWith({ database: observed }))
  for (let index = 0; index < 3; index += 1) await mia.createPlan()
})
afterAll(() => world.close())

async function list(query: string) {
  Object.assign(statements, { plans: 0, counts: 0 })
  const { json } = await mia.get(`/api/v1/success-plans?${query}`)
  const { total } = json.meta as { total: number }
  return { total, rows: (json.data as unknown[]).length, ...statements }
}

test('a page and its total are one statement, and the next page counts nothing', async () => {
  expect(await list('per_page=2')).toEqual({ total: 3, rows: 2, plans: 1, counts: 1 })
  expect(await list('per_page=2&page=2')).toEqual({ total: 3, rows: 1, plans: 1, counts: 0 })
})

test('each filter has its own total', async () => {
  const begun = await mia.createPlan({ status: 'in-progress' })
  expect((await list('filters[status][]=in-progress')).total).toBe(1)
  expect((await list('filters[status][]=planned')).total).toBe(3)
  expect((await list('per_page=2')).total).toBe(4)
  await mia.call('DELETE', `/api/v1/success-plans/${begun}`)
})

test('a total is right again after each write, also of records without a row on the page', async () => {
  const before = (await list('per_page=1')).total
  const plan = await mia.createPlan()
  expect((await list('per_page=1')).total).toBe(before + 1)
  await mia.call('DELETE', `/api/v1/success-plans/${plan}`)
  expect((await list('per_page=1')).total).toBe(before)
})

test('a page behind the last one has the total, too', async () => {
  await mia.createPlan()
  expect(await list('per_page=2&page=9')).toMatchObject({ total: 4, rows: 0 })
  expect(await list('filters[title]=no+such+plan')).toMatchObject({ total: 0, rows: 0 })
})
