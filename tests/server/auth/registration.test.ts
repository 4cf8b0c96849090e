// A person makes an account on a server that is not open to everyone.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { appConfig, readConfiguration } from '../../../server/configuration/configuration.ts'
import { ApiFixture, PASSWORD, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let owner: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
  owner = await world.createOwner('Olga')
})
afterAll(() => world.close())

async function register(mode: 'open' | 'invited' | 'closed', isInvited: boolean) {
  const email = `new-${uuidv7()}@example.com`
  await owner.post('/api/v1/organisation-invites', { email })
  const [, invite_token] = /invite_token=([\w-]+)/.exec(world.mails.at(-1)?.text ?? '') ?? []
  const body = { name: 'New', email, password: PASSWORD, password_confirmation: PASSWORD }
  return world.call(
    'POST',
    '/api/v1/register',
    { body: { ...body, ...(isInvited && { invite_token }) } },
    world.appWith({ config: { ...appConfig({}), registration: mode } }),
  )
}
const rejection = (message: string) => ({ status: 403, body: { message } })

test('REGISTRATION decides who may make an account', async () => {
  expect((await register('open', false)).status).toBe(201)
  expect((await register('open', true)).status).toBe(201)
  expect((await register('invited', false)).statusAndBody).toEqual(
    rejection('New accounts are by invitation only.'),
  )
  expect((await register('invited', true)).status).toBe(201)
  for (const isInvited of [false, true])
    expect((await register('closed', isInvited)).statusAndBody).toEqual(
      rejection('New accounts cannot be made here.'),
    )
})

test('REGISTRATION is open by default, published to the app, and checked at the start', () => {
  expect(appConfig({}).registration).toBe('open')
  expect(appConfig({ REGISTRATION: 'invited' }).registration).toBe('invited')
  expect(() => readConfiguration({ REGISTRATION: 'sometimes' })).toThrow(
    'REGISTRATION must be open, invited or closed, not "sometimes".',
  )
})
