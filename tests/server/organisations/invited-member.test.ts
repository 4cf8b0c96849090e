// A person opens an invitation who is already a member, or a member is not found by name.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

const USERS = '/api/v1/organisation-users'
const INVITES = '/api/v1/organisation-invites'
const membersOf = async (query = '') =>
  (await mia.get(`${USERS}${query}`)).data<{ user_id: string; pivot: { role: string } }[]>()

test('a member who accepts an invitation stays a member once, in the same role', async () => {
  const jonas = await world.createUser('Jonas')
  expect((await mia.post(INVITES, { email: jonas.email, role: 'admin' })).status).toBe(201)
  const [, token = ''] = /#invite_token=([\w-]+)$/m.exec(world.mails.at(-1)?.text ?? '') ?? []
  await world.addMember(jonas, mia.organisation, 'member')
  const accepted = await jonas.post(`${INVITES}/accept`, { token })
  expect(accepted.status).toBe(200)
  const own = (await membersOf()).filter(({ user_id }) => user_id === jonas.id)
  expect(own).toMatchObject([{ pivot: { role: 'member' } }])
  expect((await jonas.post(`${INVITES}/accept`, { token })).status).toBe(404)
})

test('members are found by a part of their name', async () => {
  const ada = await world.addMember(await world.createUser('Adalind'), mia.organisation, 'member')
  const found = async (text: string) =>
    (await membersOf(`?filters[title]=${text}`)).map(({ user_id }) => user_id)
  expect(await found('dali')).toEqual([ada.id])
  expect(await found('mia')).toEqual([mia.id])
  expect(await found('nobody')).toEqual([])
})
