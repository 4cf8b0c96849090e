// Versions: `changes` misses no record, and a stale write does not overwrite.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Changes } from '../../../contract/schemas/changes.ts'
import * as v from 'valibot'
import type { Database } from '../../../server/database/database.ts'
import { publishUsers } from '../../../server/domain/publish-user.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

const changes = async (person: ApiUser, since: number) =>
  v.parse(Changes, (await person.get(`/api/v1/changes?since=${since}`)).json)
const ids = (records: { id: string }[]) => records.map(({ id }) => id)
const GONE = {
  status: 410,
  body: { message: 'This version is not known here. Start again at 0.' },
}

test('changes contain everything since a version, once', async () => {
  const [untouched, edited] = [await mia.createPlan(), await mia.createPlan()]
  const { version } = await changes(mia, 0)
  expect(ids((await changes(mia, 0)).data.success_plans)).toEqual([untouched, edited])
  const account = uuidv7()
  await mia.post('/api/v1/accounts', { id: account, name: 'New' })
  const update = uuidv7()
  await mia.post(`/api/v1/success-plans/${edited}/updates`, { id: update, body: 'News' })
  const since = await changes(mia, version)
  expect(ids(since.data.success_plans)).toEqual([edited])
  expect(ids(since.data.success_plan_updates)).toEqual([update])
  expect(ids(since.data.accounts)).toEqual([account])
  expect(since.data.organisation_users).toEqual([])
  expect(since.version).toBeGreaterThan(version)
  const quiet = await changes(mia, since.version)
  expect(quiet).toEqual({
    data: {
      success_plans: [],
      success_plan_updates: [],
      accounts: [],
      initiatives: [],
      actions: [],
      templates: [],
      organisation_users: [],
      former_members: [],
      deleted: [],
    },
    version: since.version,
    more: false,
    latest: since.version,
  })
})

test('a deleted plan and its updates are reported to devices', async () => {
  const plan = await mia.createPlan()
  const update = uuidv7()
  await mia.post(`/api/v1/success-plans/${plan}/updates`, { id: update, body: 'News' })
  const { version } = await changes(mia, 0)
  await mia.call('DELETE', `/api/v1/success-plans/${plan}`)
  const { data } = await changes(mia, version)
  expect(data.deleted).toEqual([
    { type: 'success_plan_updates', id: update },
    { type: 'success_plans', id: plan },
  ])
  expect(data.success_plans).toEqual([])
})

test('a member’s new name reaches other devices', async () => {
  const { version } = await changes(mia, 0)
  await mia.call('PUT', '/api/v1/userinfo', { body: { name: 'Mia L.' } })
  const { data } = await changes(mia, version)
  expect(data.organisation_users.map(({ name }) => name)).toEqual(['Mia L.'])
})

test('a new name that could not be published reaches other devices later, and once', async () => {
  const { version } = await changes(mia, 0)
  const failing: Database['tenant'] = () => Promise.reject(new Error('The process has ended.'))
  const app = world.appWith({ database: { ...world.database, tenant: failing } })
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await mia.atApp(app).call('PUT', '/api/v1/userinfo', { body: { name: 'Mia M.' } })
  spy.mockRestore()
  expect((await changes(mia, 0)).version).toBe(version)
  await publishUsers(world.database)
  const { data, version: published } = await changes(mia, version)
  expect(data.organisation_users.map(({ name }) => name)).toEqual(['Mia M.'])
  await publishUsers(world.database)
  expect((await changes(mia, 0)).version).toBe(published)
})

test('a new name that was published is not published again', async () => {
  await mia.call('PUT', '/api/v1/userinfo', { body: { name: 'Mia N.' } })
  const { version } = await changes(mia, 0)
  await publishUsers(world.database)
  expect((await changes(mia, 0)).version).toBe(version)
})

test('a change of a profile that other members do not see is no change of their organisation', async () => {
  const { version } = await changes(mia, 0)
  await mia.call('PUT', '/api/v1/userinfo', { body: {} })
  await mia.call('PUT', '/api/v1/userinfo', { body: { phone: '123', timezone: 'Europe/Paris' } })
  expect((await changes(mia, 0)).version).toBe(version)
})

test('pages are complete, without repeats, in version order', async () => {
  const many = await world.createOwner('Many')
  const plan = await many.createPlan()
  const at = world.now.toISOString()
  await world.database.system(async (tx) => {
    const { version } = await tx
      .selectFrom('organisations')
      .select('version')
      .where('id', '=', many.organisation)
      .executeTakeFirstOrThrow()
    const updates = Array.from({ length: 2_100 }, (_, index) => ({
      organisation_id: many.organisation,
      id: uuidv7(),
      success_plan_id: plan,
      user_id: many.id,
      body: String(index),
      written_at: at,
      created_at: at,
      version: version + 1 + index,
    }))
    await tx.insertInto('success_plan_updates').values(updates).execute()
    await tx
      .updateTable('organisations')
      .set({ version: version + 2_100 })
      .where('id', '=', many.organisation)
      .execute()
  })
  const bodies: string[] = []
  const sizes: number[] = []
  for (let since = 0, more = true; more;) {
    const page = await changes(many, since)
    const { success_plans, success_plan_updates, organisation_users } = page.data
    sizes.push(success_plans.length + success_plan_updates.length + organisation_users.length)
    bodies.push(...success_plan_updates.map(({ body }) => body))
    ;({ version: since, more } = page)
  }
  expect(bodies).toEqual(Array.from({ length: 2_100 }, (_, index) => String(index)))
  expect(sizes).toEqual([1_000, 1_000, 102])
  const first = await changes(many, 0)
  expect(first.latest).toBe((await changes(many, first.version)).latest)
  expect(first.latest).toBeGreaterThan(first.version)
})

test('simultaneous writers leave no gap that a device could miss', async () => {
  const jonas = await world.addMember(await world.createUser('Jonas'), mia.organisation, 'member')
  const before = (await changes(mia, 0)).version
  const seen = new Set<string>()
  let since = before
  const writing = Promise.all(
    Array.from({ length: 30 }, (_, index) => (index % 2 ? mia : jonas).createPlan()),
  )
  const progress = { isWriting: true }
  const written = writing.finally(() => (progress.isWriting = false))
  while (progress.isWriting) {
    const page = await changes(mia, since)
    for (const id of ids(page.data.success_plans)) seen.add(id)
    since = page.version
  }
  for (const id of ids((await changes(mia, since)).data.success_plans)) seen.add(id)
  expect([...seen].toSorted()).toEqual((await written).toSorted())
})

test('a version that the organisation never had is answered with 410', async () => {
  const { version } = await changes(mia, 0)
  const other = await world.createOwner('Other')
  const elsewhere = (await changes(other, 0)).version
  for (const since of [version + 1, 1, elsewhere, 999_999_999_999_999])
    expect((await mia.get(`/api/v1/changes?since=${since}`)).statusAndBody).toEqual(GONE)
})

test('a version from another database is answered with 410', async () => {
  const otherServer = await ApiFixture.open()
  const later = await otherServer.createOwner('Mia')
  const { version } = await changes(mia, 0)
  expect((await later.get(`/api/v1/changes?since=${version}`)).statusAndBody).toEqual(GONE)
  await otherServer.close()
})

test.each(['', '?since=', '?since=-1', '?since=1.5', '?since=a', '?since=1&since=2'])(
  'a missing or malformed version (%j) is rejected',
  async (query) => {
    const answer = await mia.get(`/api/v1/changes${query}`)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.json.errors ?? {})).toEqual(['since'])
  },
)

test('a stale edit is rejected with the present record', async () => {
  const plan = await mia.createPlan({ title: 'One' })
  const url = `/api/v1/success-plans/${plan}`
  const old = (await mia.get(url)).headers.get('ETag') ?? ''
  await mia.call('PATCH', url, { body: { title: 'Two' } })
  const current = (await mia.get(url)).data()
  for (const [method, body] of [
    ['PATCH', { title: 'Three' }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await mia.call(method, url, { body, headers: { 'If-Match': old } })
    expect(answer.statusAndBody).toEqual({
      status: 412,
      body: {
        message: 'Someone else changed this.',
        data: current,
        changed_by: { title: mia.id },
      },
    })
  }
  const etag = (await mia.get(url)).headers.get('ETag') ?? ''
  expect(etag).toBe(`"${String(current.version)}"`)
  const fresh = await mia.call('PATCH', url, {
    body: { title: 'Three' },
    headers: { 'If-Match': `W/${etag}` },
  })
  expect(fresh.data()).toMatchObject({ title: 'Three' })
})

test('a stale edit of an account is rejected with the present account', async () => {
  const id = uuidv7()
  await mia.post('/api/v1/accounts', { id, name: 'One' })
  const edit = (name: string, headers = {}) =>
    mia.call('PUT', `/api/v1/accounts/${id}`, { body: { name }, headers })
  await edit('Two')
  const answer = await edit('Three', { 'If-Match': '"1"' })
  expect(answer.status).toBe(412)
  expect(answer.data()).toMatchObject({ id, name: 'Two' })
})

test('an update based on a stale plan is rejected', async () => {
  const plan = await mia.createPlan({ title: 'One' })
  const url = `/api/v1/success-plans/${plan}`
  const seen = (await mia.get(url)).headers.get('ETag') ?? ''
  const body = { id: uuidv7(), body: 'Half way', progress: 50 }
  const post = (update: unknown, tag: string) =>
    mia.post(`${url}/updates`, update, { 'If-Match': tag })
  const posted = await post(body, seen)
  expect(posted.status).toBe(201)
  const current = (await mia.get(url)).data()
  expect(posted.data().success_plan_version).toBe(current.version)
  expect((await post({ id: uuidv7(), body: 'Sixty', progress: 60 }, seen)).statusAndBody).toEqual({
    status: 412,
    body: {
      message: 'Someone else changed this.',
      data: current,
      changed_by: { progress: mia.id },
    },
  })
  const late = await post(body, seen)
  expect(late.status).toBe(200)
  expect(late.data().id).toBe(body.id)
  const [listed] = (await mia.get(`${url}/updates`)).data<object[]>()
  expect(listed).not.toHaveProperty('success_plan_version')
})

test('an update that reopens a plan returns the version after its recalculation', async () => {
  const plan = await mia.createPlan({ status: 'in-progress', progress_mode: 'auto' })
  const url = `/api/v1/success-plans/${plan}`
  await mia.post('/api/v1/actions', { title: 'Task', success_plan_id: plan })
  await mia.post(`${url}/updates`, { status: 'completed', outcome: 'achieved' })
  const reopened = await mia.post(`${url}/updates`, { status: 'in-progress' })
  const { version, progress } = (await mia.get(url)).data()
  expect(progress).toBe(0)
  expect(reopened.data().success_plan_version).toBe(version)
})

test.each(['1', '"a"', '"1" "2"', '""'])('a malformed If-Match (%s) is rejected', async (tag) => {
  const plan = await mia.createPlan()
  const answer = await mia.call('PATCH', `/api/v1/success-plans/${plan}`, {
    body: { title: 'Two' },
    headers: { 'If-Match': tag },
  })
  expect(answer.statusAndBody).toEqual({
    status: 400,
    body: { message: 'If-Match must be the ETag of the record.' },
  })
})
