// The link of the first start is found in an old log, and makes a superadmin.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appConfig } from '../../../server/configuration/configuration.ts'
import { createFirstSetupLink } from '../../../server/domain/setup-link.ts'
import { ApiFixture, PASSWORD } from '../fixtures/api-fixture.ts'

let world: ApiFixture
beforeEach(async () => {
  world = await ApiFixture.open({ config: appConfig({ REGISTRATION: 'closed' }) })
})
afterEach(() => world.close())

const link = () => createFirstSetupLink(world.database, world.now)
const verify = async (token?: string) =>
  (await world.call('POST', '/api/v1/verify-token', { body: { token } })).status
const use = (invite_token?: string) => {
  const password = { password: PASSWORD, password_confirmation: PASSWORD }
  const body = { name: 'Ada', email: 'ada@example.com', ...password, invite_token }
  return world.call('POST', '/api/v1/register', { body })
}

test('a link makes no account once 24 hours have passed', async () => {
  const token = await link()
  world.advance({ days: 1, seconds: -1 })
  expect(await verify(token)).toBe(200)
  world.advance({ seconds: 1 })
  expect([await verify(token), (await use(token)).status]).toEqual([404, 403])
})

test('a link makes a superadmin until the last second of 24 hours', async () => {
  const token = await link()
  world.advance({ days: 1, seconds: -1 })
  const made = await use(token)
  expect([made.status, made.data()]).toMatchObject([201, { superadmin: true }])
})
