// Lists and their totals, read once for each version of the organisation: stale after a write, of another organisation,
// shown to a former member, or kept without a bound.
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KeptLists } from '../../../server/http/list-query.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
let noah: ApiUser
let observedApp: ApiFixture['app']
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
  observedApp = world.appWith({ database: observed })
  mia = (await world.createOwner('Mia')).atApp(observedApp)
  const person = await world.createUser('Noah')
  noah = (await world.addMember(person, mia.organisation, 'member')).atApp(observedApp)
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

test('a list is read once for each version, for all members', async () => {
  expect(await list('per_page=3')).toMatchObject({ plans: 1 })
  const first = await mia.get('/api/v1/success-plans?per_page=3')
  expect(await list('per_page=3')).toMatchObject({ plans: 0, rows: 3 })
  const second = await noah.get('/api/v1/success-plans?per_page=3')
  expect(second.text).toBe(first.text)
  Object.assign(statements, { plans: 0, counts: 0 })
  const third = await mia.get('/api/v1/success-plans?per_page=3')
  expect([third.text, statements.plans]).toEqual([first.text, 0])
})

test('after each write a list shows what was written, also by its effect on other records', async () => {
  const { json } = await mia.post('/api/v1/accounts', { name: 'Before' })
  const account = (json.data as { id: string }).id
  const accounts = async () => {
    const { json } = await mia.get('/api/v1/accounts?sort=-created_at&per_page=1')
    return (json.data as { name: string; success_plans_count: number }[])[0]
  }
  expect(await accounts()).toMatchObject({ name: 'Before', success_plans_count: 0 })
  await mia.call('PUT', `/api/v1/accounts/${account}`, { body: { name: 'After' } })
  expect(await accounts()).toMatchObject({ name: 'After' })
  const plan = await mia.createPlan({ account_id: account })
  expect(await accounts()).toMatchObject({ success_plans_count: 1 })
  const progress = async () => {
    const { json } = await mia.get(`/api/v1/success-plans?filters[account_id]=${account}`)
    return (json.data as { progress: number }[])[0]?.progress
  }
  expect(await progress()).toBe(0)
  await mia.post(`/api/v1/success-plans/${plan}/updates`, { body: 'Done.', progress: 40 })
  expect(await progress()).toBe(40)
})

test('a kept list is shown to members of its organisation only', async () => {
  const path = '/api/v1/success-plans?per_page=4'
  await mia.get(path)
  const otto = (await world.createOwner('Otto')).atApp(observedApp)
  expect((await otto.get(path)).json).toMatchObject({ data: [], meta: { total: 0 } })
  expect((await otto.inOrganisation(mia.organisation).get(path)).status).toBe(403)
})

test('a kept list is the answer of no other address', async () => {
  const path = '/api/v1/success-plans'
  const id = await mia.createPlan()
  // Another list, in another spelling, which names this address.
  const spelled = await mia.get(`/%61pi/v1/accounts?filters[title]=${path}`)
  expect([spelled.status, spelled.json.data]).toEqual([200, []])
  const { json } = await mia.get(path)
  expect((json.data as { id: string }[]).map((plan) => plan.id)).toContain(id)
})

test('of kept lists the longest unused are dropped, so that they take a bounded memory', () => {
  const lists = new KeptLists()
  const organisation = { id: 'north', version: 1 }
  const url = (page: number) => `http://localhost/api/v1/accounts?page=${page}`
  const body = 'x'.repeat(1_000_000)
  for (const page of [1, 2, 3]) lists.keep(organisation, url(page), body)
  expect(lists.find(organisation, url(1))).toBe(body)
  for (const page of [4, 5]) lists.keep(organisation, url(page), body)
  const kept = [1, 2, 3, 4, 5].filter((page) => lists.find(organisation, url(page)) !== undefined)
  expect(kept).toEqual([1, 3, 4, 5])
  expect(lists.find({ ...organisation, version: 2 }, url(1))).toBe(undefined)
})

test('few short answers are kept where their addresses are long', () => {
  const lists = new KeptLists()
  const organisation = { id: 'north', version: 1 }
  const url = (page: number) => `http://localhost/?search=${'x'.repeat(1024 * 1024)}&page=${page}`
  for (const page of [1, 2, 3, 4, 5]) lists.keep(organisation, url(page), '{}')
  const kept = [1, 2, 3, 4, 5].filter((page) => lists.find(organisation, url(page)) !== undefined)
  expect(kept).toEqual([3, 4, 5])
})
