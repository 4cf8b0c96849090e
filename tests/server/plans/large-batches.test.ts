// More records than one statement has parameters for.
import { sql } from 'kysely'
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

const UPDATES = 17_000

test('a plan with seventeen thousand updates is deleted and each is reported to devices', async () => {
  const plan = await mia.createPlan()
  await world.database.system((tx) =>
    sql`insert into success_plan_updates
        (organisation_id, id, success_plan_id, user_id, body, written_at, created_at, version)
      select ${mia.organisation}, gen_random_uuid(), ${plan}, ${mia.id}, 'Words', now(), now(),
        organisations.version + place
      from organisations, generate_series(1, ${sql.lit(UPDATES)}) as place
      where organisations.id = ${mia.organisation}`.execute(tx),
  )
  await world.database.system((tx) =>
    tx
      .updateTable('organisations')
      .set((row) => ({ version: row('version', '+', UPDATES) }))
      .where('id', '=', mia.organisation)
      .execute(),
  )
  expect((await mia.call('DELETE', `/api/v1/success-plans/${plan}`)).status).toBe(204)
  const deleted = new Set<string>()
  const pages: { version: number; more: boolean; next?: number[] }[] = []
  for (let page: (typeof pages)[number] = { version: 0, more: true }; page.more;) {
    const answer = await mia.get(`/api/v1/changes?since=${page.version}`)
    for (const { id } of answer.data<{ deleted: { id: string }[] }>().deleted) deleted.add(id)
    page = answer.json as unknown as typeof page
    pages.push(page)
  }
  expect(deleted.size).toBe(UPDATES + 1)
  // Each page announces where the two after the next one begin.
  expect(pages.length).toBeGreaterThan(UPDATES / 1_000)
  for (const [at, { next = [] }] of pages.entries())
    expect(next).toEqual(
      pages.slice(at + 1, at + 3).flatMap((one) => (one.more ? one.version : [])),
    )
})

test('the largest template creates its five thousand actions', async () => {
  const actions = Array.from({ length: 100 }, () => ({ title: 'A', due_offset_days: 1 }))
  const days = { start_offset_days: 0, end_offset_days: 1 }
  const initiatives = Array.from({ length: 50 }, () => ({ title: 'I', ...days, actions }))
  const [template_id, id] = [uuidv7(), uuidv7()]
  const template = { id: template_id, title: 'T', duration_days: 2, initiatives }
  expect((await mia.post('/api/v1/templates', template)).status).toBe(201)
  await mia.createPlan({ id, template_id })
  expect((await mia.get(`/api/v1/success-plans/${id}`)).data()).toMatchObject({
    actions_count: 5_000,
  })
})
