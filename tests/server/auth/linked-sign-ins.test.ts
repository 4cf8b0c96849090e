// A provider goes on opening an account after its user removed it, or the last way in is lost.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import type { LinkedSignIn } from '../../../contract/schemas/people.ts'
import { ApiFixture, PASSWORD, type ApiUser } from '../fixtures/api-fixture.ts'

const PATH = '/api/v1/linked-sign-ins'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
})
beforeEach(async () => {
  mia = await world.verify(await world.createUser('Mia'))
})
afterAll(() => world.close())

/** Links a Google account; returns the id of the link. */
async function link(by: ApiUser, email: string | null = null): Promise<string> {
  const id = uuidv7()
  const values = { id, provider: 'google', subject: id, user_id: by.id, email } as const
  await world.database.auth((tx) => tx.insertInto('social_sign_ins').values(values).execute())
  return id
}
const withoutPassword = () =>
  world.database.auth((tx) =>
    tx.updateTable('users').set({ password_hash: null }).where('id', '=', mia.id).execute(),
  )
const list = async () => (await mia.get(PATH)).data<LinkedSignIn[]>()
const remove = (id: string, by = mia) => by.call('DELETE', `${PATH}/${id}`)
const mailsAfter = async (work: () => Promise<unknown>) => {
  const before = world.mails.length
  await work()
  return world.mails.slice(before).map(({ to, subject }) => [to, subject])
}

test('a user removes a linked provider, and a mail says so', async () => {
  const id = await link(mia, 'mia@gmail.example')
  expect(await list()).toEqual([
    { id, provider: 'google', email: 'mia@gmail.example', created_at: null },
  ])
  const mails = await mailsAfter(async () => expect((await remove(id)).status).toBe(204))
  expect(mails).toEqual([[mia.email, 'A way into your account was removed']])
  expect(await list()).toEqual([])
  expect((await remove(id)).status).toBe(404)
})

test('an unproven address gets no mail about it', async () => {
  mia = await world.createUser('Una')
  const id = await link(mia)
  expect(await mailsAfter(() => remove(id))).toEqual([])
  expect(await list()).toEqual([])
})

test('another user can neither see nor remove it', async () => {
  const id = await link(mia)
  const eve = await world.createUser('Eve')
  expect((await eve.get(PATH)).data()).toEqual([])
  expect((await remove(id, eve)).statusAndBody).toEqual({
    status: 404,
    body: { message: 'Not Found' },
  })
  expect(await list()).toHaveLength(1)
})

test('removing one needs a fresh sign-in, or the password', async () => {
  const id = await link(mia)
  world.advance({ minutes: 11 })
  expect((await remove(id)).statusAndBody).toEqual({
    status: 403,
    body: { message: 'Enter your password to change this.', code: 'reauthentication_required' },
  })
  await mia.post('/api/v1/reauthenticate', { current_password: PASSWORD })
  expect((await remove(id)).status).toBe(204)
})

test('a clock that is set back does not keep a sign-in fresh', async () => {
  const id = await link(mia)
  await mia.post('/api/v1/reauthenticate', { current_password: PASSWORD })
  world.setClockBack({ minutes: 5 })
  expect((await remove(id)).json).toMatchObject({ code: 'reauthentication_required' })
  await mia.post('/api/v1/reauthenticate', { current_password: PASSWORD })
  expect((await remove(id)).status).toBe(204)
  world.advance({ minutes: 5 })
})

test('the last way into an account stays', async () => {
  const ids = [await link(mia), await link(mia)]
  await withoutPassword()
  const answers = await Promise.all(ids.map((id) => remove(id)))
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  const [left] = await list()
  expect((await remove(left?.id ?? '')).statusAndBody).toEqual({
    status: 403,
    body: { message: 'This is the only way into your account. Set a password first.' },
  })
  expect(await list()).toHaveLength(1)
})
