// Lists, fields and limits: what is rejected, and with which message.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

const titles = async (person: ApiUser, query: string) =>
  (await person.get(`/api/v1/success-plans?${query}`))
    .data<{ title: string }[]>()
    .map(({ title }) => title)

test('search is literal, whatever the case and language', async () => {
  const ada = await world.createOwner('Ada')
  for (const title of [
    '100 % done',
    'R&D rollout',
    'under_score',
    'back\\slash',
    'ÉTÉ à Paris',
    '"quoted"',
  ])
    await ada.createPlan({ title })
  const search = (text: string) => titles(ada, `filters[title]=${encodeURIComponent(text)}`)
  expect(await search('%')).toEqual(['100 % done'])
  expect(await search('_')).toEqual(['under_score'])
  expect(await search('\\')).toEqual(['back\\slash'])
  expect(await search('r&d')).toEqual(['R&D rollout'])
  expect(await search('été')).toEqual(['ÉTÉ à Paris'])
  expect(await search('"')).toEqual(['"quoted"'])
  expect(await search("' or 1=1 --")).toEqual([])
})

test('lists sort words by locale and put empty values last in both directions', async () => {
  const ada = await world.createOwner('Ada')
  const days: Record<string, string | null> = {
    zebra: '2026-05-01',
    Ähre: null,
    apple: '2026-07-01',
    Beta: '2026-06-01',
  }
  for (const [title, end_date] of Object.entries(days)) await ada.createPlan({ title, end_date })
  expect(await titles(ada, 'sort=title')).toEqual(['Ähre', 'apple', 'Beta', 'zebra'])
  expect(await titles(ada, 'sort=-title')).toEqual(['zebra', 'Beta', 'apple', 'Ähre'])
  expect(await titles(ada, 'sort=end_date')).toEqual(['zebra', 'Beta', 'apple', 'Ähre'])
  expect(await titles(ada, 'sort=-end_date')).toEqual(['apple', 'Beta', 'zebra', 'Ähre'])
})

test('pages cover a list once, with links that keep the query', async () => {
  const ada = await world.createOwner('Ada')
  for (let index = 0; index < 5; index += 1) await ada.createPlan({ title: `Plan ${index}` })
  await ada.createPlan({ title: 'Other' })
  const query = 'per_page=2&sort=title&filters[title]=plan&filters[status][]=planned'
  const page = await ada.get(`/api/v1/success-plans?page=2&${query}`)
  const at = (number: number) =>
    `/api/v1/success-plans?page=${number}&per_page=2&sort=title&filters[title]=plan&filters[status][]=planned`
  expect(page.json).toMatchObject({
    data: [{ title: 'Plan 2' }, { title: 'Plan 3' }],
    meta: { current_page: 2, last_page: 3, per_page: 2, total: 5 },
    links: { first: at(1), last: at(3), prev: at(1), next: at(3) },
  })
  expect((await ada.get(at(3))).json).toMatchObject({
    data: [{ title: 'Plan 4' }],
    links: { next: null },
  })
  expect((await ada.get('/api/v1/success-plans?page=9')).json).toMatchObject({
    data: [],
    meta: { current_page: 9, last_page: 1, total: 6 },
  })
})

test.each([
  ['filters[colour]=red', 'filters.colour'],
  ['filters[status][]=lost', 'filters.status.0'],
  ['filters[account_id]=1', 'filters.account_id'],
  ['sort=colour', 'sort'],
  ['page=0', 'page'],
  ['page=1e9', 'page'],
  ['per_page=501', 'per_page'],
  ['per_page=-1', 'per_page'],
  ['colour=red', 'colour'],
  ['page=1&page=2', 'page'],
  ['filters=1&filters[title]=a', 'filters[title]'],
  ['filters[title]=%00', undefined],
])('a query that is not understood is rejected: %s', async (query, field) => {
  const answer = await mia.get(`/api/v1/success-plans?${query}`)
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.json.errors ?? {})).toEqual(field === undefined ? [] : [field])
})

const long = 'x'.repeat(256)
test.each([
  [{}, 'title'],
  [{ title: '' }, 'title'],
  [{ title: '   ' }, 'title'],
  [{ title: long }, 'title'],
  [{ title: 1 }, 'title'],
  [{ title: ['a'] }, 'title'],
  [{ title: 'NUL \0' }, 'title'],
  [{ title: 'right to left \u202E' }, 'title'],
  [{ type: 'customer' }, 'account_id'],
  [{ type: 'wish' }, 'type'],
  [{ status: 'completed' }, 'status'],
  [{ progress: 101 }, 'progress'],
  [{ progress: 0.5 }, 'progress'],
  [{ progress: '50' }, 'progress'],
  [{ progress: Number.MAX_VALUE }, 'progress'],
  [{ end_date: '2026-02-30' }, 'end_date'],
  [{ end_date: '30.06.2026' }, 'end_date'],
  [{ start_date: '2026-05-01', end_date: '2026-04-30' }, 'end_date'],
  [{ update_cadence_days: 3 }, 'update_cadence_days'],
  [{ owner_id: 'me' }, 'owner_id'],
  [{ template_id: uuidv7() }, 'template_id'],
  [{ id: '1' }, 'id'],
  [{ description: 'x'.repeat(10_001) }, 'description'],
])('a plan with %j is rejected at its field', async (fields, field) => {
  const base = { title: 'Title', type: 'project' }
  const body = Object.keys(fields).length === 0 ? { type: 'project' } : { ...base, ...fields }
  const answer = await mia.post('/api/v1/success-plans', body)
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.json.errors ?? {})).toEqual([field])
})

test.each([
  [{ website: 'javascript:alert(1)' }, 'website'],
  [{ website: 'data:text/html,hi' }, 'website'],
  [{ arr: -1 }, 'arr'],
  [{ currency: 'euro' }, 'currency'],
  [{ contacts: [{ name: 'A', email: 'not-an-address' }] }, 'contacts.0.email'],
  [{ contacts: [{ name: 'A', phone: 'call me' }] }, 'contacts.0.phone'],
  [{ contacts: [{ name: 'A', phone: '+ ( )' }] }, 'contacts.0.phone'],
  [{ contacts: [{ name: 'A', phone: '1'.repeat(41) }] }, 'contacts.0.phone'],
  [{ tags: [''] }, 'tags.0'],
  [{ renewal_date: '2026-13-01' }, 'renewal_date'],
])('an account with %j is rejected at its field', async (fields, field) => {
  const answer = await mia.post('/api/v1/accounts', { name: 'Name', ...fields })
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.json.errors ?? {})).toEqual([field])
})

test('an account is returned as it was sent, arrays included', async () => {
  const id = uuidv7()
  const contact = {
    id: uuidv7(),
    name: 'Ines Rossi',
    email: 'ines@example.com',
    phone: '+45 62 52 10 00',
    title: 'COO',
    role: null,
    is_primary: true,
  }
  const sent = {
    name: 'Ærø & Sons',
    website: 'https://aeroe.example.com',
    arr: 12_500.5,
    renewal_date: '2026-12-31',
    contacts: [contact],
    tags: ['a "quoted" tag', '{braces}', 'back\\slash'],
  }
  await mia.post('/api/v1/accounts', { id, ...sent })
  expect((await mia.get(`/api/v1/accounts/${id}`)).data()).toMatchObject({
    id,
    ...sent,
    success_plans_count: 0,
  })
  await mia.createPlan({ type: 'customer', account_id: id })
  const edited = await mia.call('PUT', `/api/v1/accounts/${id}`, { body: { tags: [] } })
  expect(edited.data()).toMatchObject({ ...sent, tags: [], success_plans_count: 1 })
})

test('a contact that is sent without a phone number keeps it, and loses it by null', async () => {
  const id = uuidv7()
  const contact = { id: uuidv7(), name: 'Ines Rossi', phone: '+49 (0)30 123-45.6/7 ext. 8' }
  await mia.post('/api/v1/accounts', { id, name: 'Aeroe', contacts: [contact] })
  const put = async (...contacts: object[]) => {
    const answer = await mia.call('PUT', `/api/v1/accounts/${id}`, { body: { contacts } })
    return answer.data<{ contacts: unknown[] }>().contacts
  }
  const { phone, ...unaware } = contact
  const renamed = { ...unaware, name: 'Ines Costa' }
  expect(await put({ name: 'New' }, renamed)).toMatchObject([
    { name: 'New', phone: null },
    { name: 'Ines Costa', phone },
  ])
  expect(await put({ ...renamed, phone: null })).toMatchObject([{ phone: null }])
})

test('an account with plans is not deleted', async () => {
  const id = uuidv7()
  await mia.post('/api/v1/accounts', { id, name: 'Name' })
  const plan = await mia.createPlan({ type: 'customer', account_id: id })
  expect((await mia.call('DELETE', `/api/v1/accounts/${id}`)).statusAndBody).toEqual({
    status: 422,
    body: {
      message: 'Delete the success plans of this account first.',
      errors: { id: ['Delete the success plans of this account first.'] },
    },
  })
  await mia.call('DELETE', `/api/v1/success-plans/${plan}`)
  expect((await mia.call('DELETE', `/api/v1/accounts/${id}`)).status).toBe(204)
})

test('the free plan’s limit holds against simultaneous creates', async () => {
  const free = await world.createOwner('Free', 'free')
  const answers = await Promise.all(
    Array.from({ length: 13 }, (_, index) =>
      free.post('/api/v1/success-plans', { title: `Plan ${index}`, type: 'project' }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused.map(({ statusAndBody: all }) => all)).toEqual(
    Array.from({ length: 3 }, () => ({
      status: 403,
      body: {
        message: 'The Free plan includes 10 open success plans. Upgrade to add more.',
        code: 'plan_limit_reached',
      },
    })),
  )
})

test('a closed plan frees a place under the limit', async () => {
  const free = await world.createOwner('Free', 'free')
  const plans: string[] = []
  for (let index = 0; index < 10; index += 1) plans.push(await free.createPlan())
  const next = () => free.post('/api/v1/success-plans', { title: 'Next', type: 'project' })
  expect((await next()).status).toBe(403)
  await free.call('PATCH', `/api/v1/success-plans/${plans[0]}`, {
    body: { status: 'cancelled', note: 'Why' },
  })
  expect((await next()).status).toBe(201)
})

test('an address can register once, whatever its case', async () => {
  const register = (email: string, more = {}) =>
    world.call('POST', '/api/v1/register', {
      body: {
        name: 'N',
        email,
        password: 'long enough',
        password_confirmation: 'long enough',
        ...more,
      },
    })
  expect((await register('Once@Example.com')).data()).toMatchObject({ email: 'once@example.com' })
  expect((await register('once@example.COM')).statusAndBody).toEqual({
    status: 422,
    body: {
      message: 'This email address is taken.',
      errors: { email: ['This email address is taken.'] },
    },
  })
  const same = { password: 'me@example.com', password_confirmation: 'me@example.com' }
  expect((await register('me@example.com', same)).json).toMatchObject({
    errors: { password: [expect.any(String)] },
  })
  const other = await register('me@example.com', { password_confirmation: 'differs' })
  expect(other.json).toMatchObject({
    errors: { password_confirmation: ['The passwords do not match.'] },
  })
})

test('a profile cannot take another user’s address', async () => {
  const jonas = await world.createUser('Jonas')
  const answer = await jonas.call('PUT', '/api/v1/userinfo', { body: { email: mia.email } })
  expect(answer.json).toMatchObject({ errors: { email: ['This email address is taken.'] } })
  const zone = await jonas.call('PUT', '/api/v1/userinfo', { body: { timezone: 'Mars/Olympus' } })
  expect(Object.keys(zone.json.errors ?? {})).toEqual(['timezone'])
})
