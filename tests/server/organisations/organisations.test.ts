// An organisation is edited by its admins, and deleted by its owner only, with everything in it.
import { v4 as uuidv4 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
let admin: ApiUser
let member: ApiUser
let path: string
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
  admin = await world.addMember(await world.createUser('Ada'), mia.organisation, 'admin')
  member = await world.addMember(await world.createUser('Max'), mia.organisation, 'member')
  path = `/api/v1/organisations/${mia.organisation}`
})
afterAll(() => world.close())

const FORBIDDEN = { status: 403, body: { message: 'You may not do this.' } }

test('an admin can edit the organisation, a member cannot', async () => {
  expect((await member.call('PUT', path, { body: { name: 'Mine now' } })).statusAndBody).toEqual(
    FORBIDDEN,
  )
  const edited = await admin.call('PUT', path, {
    body: { name: 'North Face', website: 'https://north.example', user_id: admin.id, plan: 'free' },
  })
  expect(edited.status).toBe(200)
  expect(edited.data()).toMatchObject({
    name: 'North Face',
    website: 'https://north.example',
    user_id: mia.id,
    plan: 'professional',
    members_count: 3,
  })
})

test('a website with a dangerous scheme is rejected at its field', async () => {
  const refused = await mia.call('PUT', path, { body: { website: 'javascript:alert(1)' } })
  expect(refused.status).toBe(422)
  expect(refused.json.errors).toEqual({
    website: ['Enter a web address that starts with https://.'],
  })
})

test('another organisation cannot be edited', async () => {
  const other = await world.createOwner('Otto')
  const theirs = `/api/v1/organisations/${other.organisation}`
  const { status } = await mia.call('PUT', theirs, { body: { name: 'Taken over' } })
  expect(status).toBe(404)
})

test('only the owner can delete the organisation and everything in it, by repeating its name', async () => {
  await mia.createPlan({ title: 'Goes with it' })
  const named = { body: { name: 'North Face' } }
  expect((await admin.call('DELETE', path, named)).statusAndBody).toEqual(FORBIDDEN)
  const mistyped = await mia.call('DELETE', path, { body: { name: 'North' } })
  expect(mistyped.json.errors).toEqual({
    name: ['Enter the name of the organisation exactly.'],
  })
  expect((await mia.call('DELETE', path, named)).status).toBe(204)
  expect((await mia.get('/api/v1/success-plans')).status).toBe(403)
  expect((await mia.get('/api/v1/organisations')).data()).toEqual([])
  const left = await world.database.system((tx) =>
    tx
      .selectFrom('success_plans')
      .select('id')
      .where('organisation_id', '=', mia.organisation)
      .execute(),
  )
  expect(left).toEqual([])
})

test('an owner who lost the response to a deletion can repeat it, others cannot', async () => {
  const otto = await world.createOwner('Otto')
  const theirs = `/api/v1/organisations/${otto.organisation}`
  const request = {
    body: { name: 'Otto’s organisation' },
    headers: { 'Idempotency-Key': uuidv4() },
  }
  expect((await otto.call('DELETE', theirs, request)).status).toBe(204)
  const repeated = await otto.call('DELETE', theirs, request)
  expect(repeated.status).toBe(204)
  expect(repeated.headers.get('Idempotent-Replayed')).toBe('true')
  const other = { ...request, headers: { 'Idempotency-Key': uuidv4() } }
  expect((await otto.call('DELETE', theirs, other)).status).toBe(403)
  const outsider = (await world.createOwner('Nina')).inOrganisation(otto.organisation)
  expect((await outsider.call('DELETE', theirs, request)).status).toBe(403)
})

test('new organisations of a user are limited by the day, sooner while the address is unproven', async () => {
  const ada = await world.createUser('Ada')
  const create = (id = uuidv4()) => ada.post('/api/v1/organisations', { id, name: 'Another' })
  const statuses = async (count: number) =>
    new Set(
      (await Promise.all(Array.from({ length: count }, () => create()))).map((one) => one.status),
    )
  const id = uuidv4()
  expect((await create(id)).status).toBe(201)
  expect(await statuses(9)).toEqual(new Set([201]))
  const refused = await create()
  expect(refused.statusAndBody).toEqual({
    status: 429,
    body: { message: 'Too many new organisations. Please wait.' },
  })
  expect(Number(refused.headers.get('Retry-After'))).toBe(86_400)
  expect((await create(id)).status).toBe(200)
  await world.verify(ada)
  expect(await statuses(40)).toEqual(new Set([201]))
  expect((await create()).status).toBe(429)
})
