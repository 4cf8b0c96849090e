// A page of a list had as many records as were asked for, however large: hundreds of megabytes in the memory of the
// server, for as long as clients take to read them.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

test.each([
  ['templates', { title: 'Large', duration_days: 1 }, 'description'],
  ['accounts', { name: 'Large' }, 'notes'],
])(
  'a page of %s that would have over 16 MiB is refused, a shorter one is not',
  async (list, draft, column) => {
    for (let count = 0; count < 40; count += 1) await mia.post(`/api/v1/${list}`, draft)
    await world.database.system((tx) =>
      sql`update ${sql.table(list)} set ${sql.ref(column)} = repeat('x', 1000000)`.execute(tx),
    )
    const message = 'These records are too large for one page. Ask for fewer.'
    for (const size of ['?per_page=500', '?per_page=17']) {
      const refused = await mia.get(`/api/v1/${list}${size}`)
      expect(refused.status).toBe(422)
      expect(refused.json).toMatchObject({ errors: { per_page: [message] } })
    }
    const page = await mia.get(`/api/v1/${list}?per_page=37&page=2`)
    expect(page.data<unknown[]>()).toHaveLength(3)
    expect((await mia.get(`/api/v1/${list}?per_page=16`)).data<unknown[]>()).toHaveLength(16)
  },
)

const longest = sql`title = repeat('計', 255), description = repeat('計', 10000),
  success_criteria = repeat('計', 10000), close_note = repeat('計', 5000)`

test('a page of plans with the longest texts is refused above two hundred, which have at most 16 MiB', async () => {
  await mia.createPlan()
  await world.database.system(async (tx) => {
    await sql`update success_plans set ${longest}`.execute(tx)
    await sql`insert into success_plans
      select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid()))).*
      from success_plans as one, generate_series(1, 239)`.execute(tx)
  })
  const refused = await mia.get('/api/v1/success-plans?per_page=500')
  expect(refused.status).toBe(422)
  expect(refused.json).toHaveProperty('errors.per_page')
  const page = await mia.get('/api/v1/success-plans?per_page=200')
  expect(page.data<unknown[]>()).toHaveLength(200)
  expect(Buffer.byteLength(page.text)).toBeLessThan(16 * 1024 * 1024)
})

test('plans with long texts are read to the end in pages of the size of the first one', async () => {
  const ben = await world.createOwner('Ben')
  await ben.createPlan()
  await world.database.system(async (tx) => {
    await sql`insert into success_plans
      select (jsonb_populate_record(one, jsonb_build_object(
        'id', gen_random_uuid(), 'created_at', one.created_at - interval '1 day' * day))).*
      from success_plans as one, generate_series(1, 560) as day
      where one.organisation_id = ${ben.organisation}`.execute(tx)
    await sql`update success_plans set ${longest} where id in (
      select id from success_plans where organisation_id = ${ben.organisation}
      order by created_at limit 60)`.execute(tx)
  })
  const first = await ben.get('/api/v1/success-plans?per_page=500')
  expect(first.data()).toHaveLength(500)
  const { links } = first.json as { links: { next: string } }
  expect(links.next).toContain('per_page=500')
  const second = await ben.get(links.next)
  expect(second.data(), second.text.slice(0, 200)).toHaveLength(61)
})

test('an account that alone has more than a page may have is read by itself', async () => {
  const id = (await mia.post('/api/v1/accounts', { name: 'Huge' })).data<{ id: string }>().id
  await world.database.system((tx) =>
    tx
      .updateTable('accounts')
      .set({ notes: 'x'.repeat(17_000_000) })
      .where('id', '=', id)
      .execute(),
  )
  const page = await mia.get('/api/v1/accounts?filters[title]=Huge&per_page=1')
  expect(page.data<{ id: string }[]>().map((one) => one.id)).toEqual([id])
})
