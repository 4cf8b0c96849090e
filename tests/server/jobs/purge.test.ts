// What the server purges, and what it keeps.
import { v7 as uuidv7, v4 as uuidv4 } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Tokens } from '../../../contract/schemas/people.ts'
import { purgeExpired } from '../../../server/jobs/purge.ts'
import { ApiFixture } from '../fixtures/api-fixture.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

test('a key is stored for thirty days, after which the record’s id prevents a second create', async () => {
  const owner = await world.createOwner('Mia')
  const again = async () => {
    const { json } = await world.signIn(owner.email)
    return owner.withTokens(json as unknown as Tokens)
  }
  const headers = { 'Idempotency-Key': uuidv4() }
  const body = { id: uuidv7(), title: 'Made offline', type: 'project' }
  const first = await owner.post('/api/v1/success-plans', body, headers)
  world.advance({ days: 29 })
  await purgeExpired(world.database, world.now)
  const replayed = await (await again()).post('/api/v1/success-plans', body, headers)
  expect([replayed.status, replayed.headers.get('Idempotent-Replayed')]).toEqual([201, 'true'])
  world.advance({ days: 1, seconds: 1 })
  await purgeExpired(world.database, world.now)
  const caught = await (await again()).post('/api/v1/success-plans', body, headers)
  expect([caught.status, caught.headers.get('Idempotent-Replayed')]).toEqual([200, null])
  expect(caught.data()).toEqual(first.data())
})

test('all rows are deleted that have expired, in several transactions', async () => {
  const rows = () =>
    world.database.system((tx) => tx.selectFrom('rate_limit_hits').select('id').execute())
  const hit_at = world.now.toISOString()
  const values = Array.from({ length: 250 }, () => ({
    id: uuidv7(),
    subject_hash: Buffer.alloc(32),
    hit_at,
  }))
  await world.database.system((tx) => tx.insertInto('rate_limit_hits').values(values).execute())
  world.advance({ days: 1, seconds: 1 })
  const system = vi.spyOn(world.database, 'system')
  await purgeExpired(world.database, world.now)
  expect(await rows()).toEqual([])
  const kinds = system.mock.calls.map(([, about]) => about)
  system.mockRestore()
  expect(kinds.filter((about) => about === 'purge').length).toBeGreaterThan(15)
})

test('expired sessions are deleted, live ones are kept', async () => {
  const idle = await world.createUser('Idle')
  world.advance({ days: 60, seconds: 1 })
  const busy = await world.createUser('Busy')
  await purgeExpired(world.database, world.now)
  const families = await world.database.system((tx) =>
    tx.selectFrom('token_families').select('user_id').execute(),
  )
  expect(families.map(({ user_id }) => user_id)).toContain(busy.id)
  expect(families.map(({ user_id }) => user_id)).not.toContain(idle.id)
  expect((await busy.get('/api/v1/userinfo')).status).toBe(200)
})

test('invitations are kept for thirty days after they were accepted or have expired', async () => {
  const INVITES = '/api/v1/organisation-invites'
  const owner = await world.createOwner('Mia')
  const member = await world.createUser('Max')
  for (const email of [member.email, 'nobody@example.com']) await owner.post(INVITES, { email })
  const [, token] = /#invite_token=([\w-]+)$/m.exec(world.mails.at(-2)?.text ?? '') ?? []
  expect((await member.post(`${INVITES}/accept`, { token })).status).toBe(200)
  const kept = async () => {
    await purgeExpired(world.database, world.now)
    const again = owner.withTokens((await world.signIn(owner.email)).json as unknown as Tokens)
    return (await again.get(INVITES)).data<{ status: string }[]>().map(({ status }) => status)
  }
  world.advance({ days: 30 })
  expect((await kept()).toSorted()).toEqual(['accepted', 'expired'])
  world.advance({ seconds: 1 })
  expect(await kept()).toEqual(['expired'])
  world.advance({ days: 7 })
  expect(await kept()).toEqual([])
})

test('vacuum and checkpoint lose nothing', async () => {
  const owner = await world.createOwner('Mia')
  const plan = await owner.createPlan({ title: 'Kept' })
  await world.database.vacuum()
  await world.database.checkpoint()
  expect((await owner.get(`/api/v1/success-plans/${plan}`)).data()).toMatchObject({ title: 'Kept' })
})
