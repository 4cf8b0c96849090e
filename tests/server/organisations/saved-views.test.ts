// Saved views of a member: made, replaced and deleted; kept from all others; gone with the membership.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_SAVED_VIEWS, MAX_VIEW_SEARCH } from '../../../contract/schemas/settings.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let olga: ApiUser
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
})
beforeEach(async () => {
  olga = await world.createOwner('Olga')
  const person = await world.verify(await world.createUser('Mia'))
  mia = await world.addMember(person, olga.organisation, 'member')
})
afterAll(() => world.close())

const VIEWS = '/api/v1/saved-views'
const BODY = { name: 'By month', search: 'group=month' }
const put = (user: ApiUser, id: string, body: unknown = BODY, headers = {}) =>
  user.call('PUT', `${VIEWS}/${id}`, { body, headers })
const remove = (user: ApiUser, id: string) => user.call('DELETE', `${VIEWS}/${id}`)
const listed = async (user: ApiUser) => (await user.get(VIEWS)).data<object[]>()
const storedOf = (user: ApiUser) =>
  world.database.system((tx) =>
    tx.selectFrom('saved_views').select('id').where('user_id', '=', user.id).execute(),
  )

test('a view is made, replaced by the last write, and deleted', async () => {
  const [first, second] = [uuidv7(), uuidv7()]
  await put(mia, second, { name: 'Mine', search: 'view=mine' })
  const made = await put(mia, first)
  expect(made.status).toBe(200)
  expect(made.data()).toEqual({ id: first, ...BODY })
  const renamed = { ...BODY, name: 'Months' }
  expect((await put(mia, first, renamed)).data()).toEqual({ id: first, ...renamed })
  expect(await listed(mia)).toEqual([
    { id: first, ...renamed },
    { id: second, name: 'Mine', search: 'view=mine' },
  ])
  expect((await remove(mia, first)).status).toBe(204)
  expect((await remove(mia, first)).status).toBe(404)
  expect(await listed(mia)).toMatchObject([{ id: second }])
})

test('a view sent twice with one key does not come back after its deletion', async () => {
  const id = uuidv7()
  const headers = { 'Idempotency-Key': uuidv7() }
  await put(mia, id, BODY, headers)
  await remove(mia, id)
  const repeated = await put(mia, id, BODY, headers)
  expect(repeated.headers.get('Idempotent-Replayed')).toBe('true')
  expect(await listed(mia)).toEqual([])
})

test('another user of the organisation neither sees, changes nor deletes it', async () => {
  const id = uuidv7()
  await put(mia, id)
  expect(await listed(olga)).toEqual([])
  expect((await remove(olga, id)).status).toBe(404)
  await put(olga, id, { name: 'Olga’s', search: 'view=all' })
  expect(await listed(mia)).toEqual([{ id, ...BODY }])
  await remove(olga, id)
  expect(await listed(mia)).toEqual([{ id, ...BODY }])
})

test('a view of one organisation is not in another one of its user', async () => {
  const id = uuidv7()
  const made = await mia.post('/api/v1/organisations', { name: 'Second' })
  const elsewhere = mia.inOrganisation(made.data<{ id: string }>().id)
  await put(mia, id)
  expect(await listed(elsewhere)).toEqual([])
  expect((await remove(elsewhere, id)).status).toBe(404)
  await put(elsewhere, id, { name: 'Here', search: 'view=all' })
  expect(await listed(mia)).toEqual([{ id, ...BODY }])
})

test('a former member leaves no view, and has none after coming back', async () => {
  await put(mia, uuidv7())
  await put(olga, uuidv7())
  const members = (await olga.get('/api/v1/organisation-users')).data<
    { id: string; user_id: string }[]
  >()
  const member = members.find(({ user_id }) => user_id === mia.id)
  const removed = await olga.call('DELETE', `/api/v1/organisation-users/${member?.id}`)
  expect(removed.status).toBe(204)
  expect(await storedOf(mia)).toEqual([])
  expect(await storedOf(olga)).toHaveLength(1)
  expect((await mia.get(VIEWS)).status).toBe(403)
  await world.addMember(mia, olga.organisation, 'member')
  expect(await listed(mia)).toEqual([])
})

test('a deleted account and a deleted organisation leave no view', async () => {
  await put(mia, uuidv7())
  await put(olga, uuidv7())
  expect((await mia.call('DELETE', '/api/v1/userinfo')).status).toBe(204)
  expect(await storedOf(mia)).toEqual([])
  const { name } = (await olga.get(`/api/v1/organisations/${olga.organisation}`)).data<{
    name: string
  }>()
  const path = `/api/v1/organisations/${olga.organisation}`
  expect((await olga.call('DELETE', path, { body: { name } })).status).toBe(204)
  expect(await storedOf(olga)).toEqual([])
})

test('a view beyond the limit is rejected at its name, an edit of one is not', async () => {
  const ids = Array.from({ length: MAX_SAVED_VIEWS }, () => uuidv7())
  for (const id of ids) expect((await put(mia, id)).status).toBe(200)
  const refused = await put(mia, uuidv7())
  expect(refused.status).toBe(422)
  expect(Object.keys(refused.json.errors ?? {})).toEqual(['name'])
  expect((await put(mia, ids[0] ?? '', { ...BODY, name: 'Last' })).status).toBe(200)
  expect((await put(olga, uuidv7())).status).toBe(200)
  const page = await mia.get(`${VIEWS}?per_page=${MAX_SAVED_VIEWS}`)
  expect(page.data<object[]>()).toHaveLength(MAX_SAVED_VIEWS)
})

test.each([
  [{ ...BODY, name: ' ' }, 'name'],
  [{ ...BODY, name: 'n'.repeat(81) }, 'name'],
  [{ ...BODY, search: '' }, 'search'],
  [{ ...BODY, search: 's'.repeat(MAX_VIEW_SEARCH + 1) }, 'search'],
  [{ ...BODY, search: 'q=two words' }, 'search'],
  [{ name: BODY.name }, 'search'],
])('a view with %j is rejected at the field', async (body, field) => {
  const answer = await put(mia, uuidv7(), body)
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.json.errors ?? {})).toEqual([field])
})
