// A count or another derived value makes an edit stale, or a stale edit passes because only the version of the
// whole record is compared.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
let ben: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  ben = await world.addMember(await world.createUser('Ben'), mia.organisation, 'member')
})
afterAll(() => world.close())

type Fields = Record<string, unknown>
const versionOf = async (url: string) => (await mia.get(url)).data().version as number
const edit = (person: ApiUser, url: string, body: Fields, version?: number) =>
  person.call('PATCH', url, {
    body,
    headers: version === undefined ? {} : { 'If-Match': `"${version}"` },
  })

async function createPlan(fields: Fields = {}) {
  const id = await mia.createPlan({ status: 'in-progress', ...fields })
  const url = `/api/v1/success-plans/${id}`
  return { id, url, version: await versionOf(url) }
}

test('ticking an action, and an update without effects, do not make an edit of the plan stale', async () => {
  const plan = await createPlan({ progress_mode: 'auto' })
  const action = { id: uuidv7(), title: 'Task', success_plan_id: plan.id }
  await ben.post('/api/v1/actions', action)
  await ben.call('PUT', '/api/v1/actions', { body: { id: action.id, status: 'done' } })
  await ben.post(`${plan.url}/updates`, { id: uuidv7(), body: 'News' })
  expect(await versionOf(plan.url)).toBeGreaterThan(plan.version)
  const answer = await edit(mia, plan.url, { description: 'Mine' }, plan.version)
  expect(answer.status).toBe(200)
  expect(answer.data()).toMatchObject({ description: 'Mine', progress: 100, actions_done_count: 1 })
})

test('actions that finish an initiative do not make an edit of it stale', async () => {
  const plan = await createPlan()
  const id = uuidv7()
  await mia.post('/api/v1/initiatives', { id, title: 'Rollout', success_plan_id: plan.id })
  const url = `/api/v1/initiatives/${id}`
  const version = await versionOf(url)
  await ben.post('/api/v1/actions', { title: 'Task', initiative_id: id, status: 'done' })
  expect(await versionOf(url)).toBeGreaterThan(version)
  const answer = await mia.call('PUT', url, {
    body: { title: 'Roll-out' },
    headers: { 'If-Match': `"${version}"` },
  })
  expect(answer.status).toBe(200)
})

test('devices learn how many plans an account has, and its edits do not become stale by them', async () => {
  const [from, to] = [uuidv7(), uuidv7()]
  for (const id of [from, to]) await mia.post('/api/v1/accounts', { id, name: 'Acme' })
  const url = `/api/v1/accounts/${from}`
  const version = await versionOf(url)
  let since = version
  const learned = async () => {
    const { json } = await mia.get(`/api/v1/changes?since=${since}`)
    since = json.version as number
    const { accounts = [] } = json.data as { accounts?: Fields[] }
    return Object.fromEntries(accounts.map((one) => [one.id, one.success_plans_count]))
  }
  await learned()
  const plan = await createPlan({ type: 'customer', account_id: from })
  expect(await learned()).toEqual({ [from]: 1 })
  await edit(mia, plan.url, { account_id: to })
  expect(await learned()).toEqual({ [from]: 0, [to]: 1 })
  await edit(mia, plan.url, { account_id: to, title: 'Renamed' })
  expect(await learned()).toEqual({})
  await mia.call('DELETE', plan.url)
  expect(await learned()).toEqual({ [to]: 0 })
  const answer = await ben.call('PUT', url, {
    body: { name: 'Acme Ltd' },
    headers: { 'If-Match': `"${version}"` },
  })
  expect(answer.status).toBe(200)
})

test('a stale edit learns which fields were set since its version, and by whom', async () => {
  const plan = await createPlan({ title: 'One' })
  await edit(mia, plan.url, { title: 'Two', description: 'Mine' })
  await ben.post(`${plan.url}/updates`, { id: uuidv7(), progress: 40, health: 'at-risk' })
  await edit(ben, plan.url, { title: 'Three', description: 'Mine' })
  const answer = await edit(mia, plan.url, { title: 'Four' }, plan.version)
  expect(answer.status).toBe(412)
  expect(answer.json).toEqual({
    message: 'Someone else changed this.',
    data: (await mia.get(plan.url)).data(),
    changed_by: { title: ben.id, description: mia.id, progress: ben.id, health: ben.id },
  })
})

test('a version between two changes is stale by the later one only', async () => {
  const plan = await createPlan({ title: 'One' })
  await edit(ben, plan.url, { title: 'Two' })
  const between = await versionOf(plan.url)
  await edit(ben, plan.url, { description: 'Later' })
  const answer = await edit(mia, plan.url, { title: 'Three' }, between)
  expect(answer.json.changed_by).toEqual({ description: ben.id })
})

test.each([
  ['from before the record', -1],
  ['above the present one', 1_000],
])('a version %s is of another database: nothing is said about fields', async (_, offset) => {
  const plan = await createPlan()
  const answer = await edit(mia, plan.url, { title: 'Two' }, plan.version + offset)
  expect(answer.statusAndBody).toEqual({
    status: 412,
    body: { message: 'Someone else changed this.', data: (await mia.get(plan.url)).data() },
  })
})

test('a reassignment counts as set by the person who removed the member', async () => {
  const leaver = await world.addMember(await world.createUser('Leaver'), mia.organisation, 'member')
  const plan = await createPlan({ owner_id: leaver.id })
  const members = (await mia.get('/api/v1/organisation-users?per_page=100')).data<Fields[]>()
  const membership = members.find(({ user_id }) => user_id === leaver.id)
  await mia.call('DELETE', `/api/v1/organisation-users/${String(membership?.id)}`)
  const answer = await edit(ben, plan.url, { owner_id: ben.id }, plan.version)
  expect(answer.json.changed_by).toEqual({ owner_id: mia.id })
})

test('the fields that were set are part of no record', async () => {
  const plan = await createPlan()
  await edit(mia, plan.url, { title: 'Two' })
  const read = await mia.get(plan.url)
  expect(read.data()).not.toHaveProperty('field_changes')
  const { text } = await mia.get('/api/v1/changes?since=0')
  expect(text).not.toContain('field_changes')
})

test('a stale deletion names the author of the update that came last, though it was written before', async () => {
  const cleo = await world.addMember(await world.createUser('Cleo'), mia.organisation, 'member')
  const plan = await createPlan()
  const post = (author: ApiUser, minutesAgo: number) => {
    const written_at = new Date(world.now.getTime() - minutesAgo * 60_000).toISOString()
    return author.post(`${plan.url}/updates`, { id: uuidv7(), body: 'News', written_at })
  }
  await post(ben, 1)
  await post(cleo, 60)
  const headers = { 'If-Match': `"${plan.version}"` }
  const answer = await mia.call('DELETE', plan.url, { headers })
  expect(answer.json).toMatchObject({ changed_by: { success_plan_updates: cleo.id } })
})

test('a deletion of a plan is stale after an update of someone else, and not after an own one', async () => {
  const plan = await createPlan()
  const remove = (version: number) =>
    mia.call('DELETE', plan.url, { headers: { 'If-Match': `"${version}"` } })
  await ben.post(`${plan.url}/updates`, { id: uuidv7(), body: 'News' })
  const answer = await remove(plan.version)
  expect(answer.status).toBe(412)
  expect(answer.json).toMatchObject({
    data: { id: plan.id },
    changed_by: { success_plan_updates: ben.id },
  })
  const { version } = answer.data() as { version: number }
  await mia.post(`${plan.url}/updates`, { id: uuidv7(), body: 'Mine' })
  expect((await remove(version)).status).toBe(204)
})
