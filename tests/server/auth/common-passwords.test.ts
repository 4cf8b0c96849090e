// A password that is guessed first is accepted.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { ApiFixture, PASSWORD } from '../fixtures/api-fixture.ts'
import { rejection } from '../fixtures/rejection.ts'
import { waitFor } from '../../wait-for.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

const REFUSED = rejection('password', 'Many people use this password. Choose another one.')
const COMMON = ['password', '12345678', 'PassWord1', 'trustno1', 'aaaaaaaa', '        ', 'abababab']

test.each(COMMON)('%j is rejected wherever a password is set', async (password) => {
  world.advance({ minutes: 61 })
  const fields = { password, password_confirmation: password }
  const email = `mia-${uuidv7()}@example.com`
  const registered = await world.call('POST', '/api/v1/register', {
    body: { name: 'Mia', email, ...fields },
  })
  expect(registered.statusAndBody).toEqual(REFUSED)
  const mia = await world.createUser('Mia')
  const changed = await mia.call('PUT', '/api/v1/password', {
    body: { current_password: PASSWORD, ...fields },
  })
  expect(changed.statusAndBody).toEqual(REFUSED)
  await world.call('POST', '/api/v1/forgot-password', { body: { email: mia.email } })
  await waitFor(() => expect(world.mails.at(-1)?.to).toBe(mia.email))
  const [, token] = /reset_token=([\w-]+)/.exec(world.mails.at(-1)?.text ?? '') ?? []
  const reset = await world.call('POST', '/api/v1/reset-password', { body: { token, ...fields } })
  expect(reset.statusAndBody).toEqual(REFUSED)
})
