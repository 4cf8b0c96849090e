// A text that PostgreSQL refuses reaches it from a caller who is not signed in: the answer is not that of the call.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, PASSWORD } from '../fixtures/api-fixture.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

const ENCODED = 'AAAA'
const credential = {
  id: ENCODED,
  rawId: ENCODED,
  type: 'public-key',
  response: { clientDataJSON: ENCODED, authenticatorData: ENCODED, signature: ENCODED },
}
const passwords = { password: PASSWORD, password_confirmation: PASSWORD }

const GRANTS: Record<string, object> = {
  password: { username: 'mia@example.com', password: PASSWORD, device_token: 'a.b' },
  refresh_token: { refresh_token: 'none' },
  passkey: { credential },
  social: { provider: 'google', token: 'none', nonce: 'none' },
}
const FORMS: Record<string, object> = {
  '/api/v1/register': { name: 'Mia', email: 'mia@example.com', ...passwords, invite_token: 'none' },
  '/api/v1/verify-token': { token: 'none' },
  '/api/v1/forgot-password': { email: 'mia@example.com' },
  '/api/v1/reset-password': { token: 'none', ...passwords },
  '/api/v1/revoke': { revocation_secret: 'none' },
}

/** The object once for each of its texts, with that one made hostile. */
function hostile(form: object): object[] {
  return Object.entries(form).flatMap(([name, value]: [string, string | object]) => {
    const values =
      typeof value === 'object' ? hostile(value) : ['\0', '\uD800'].map((text) => `${value}${text}`)
    return values.map((one) => ({ ...form, [name]: one }))
  })
}

test.for(Object.keys(GRANTS))(
  'the %s grant answers any text as RFC 6749 says',
  async (grant_type) => {
    for (const parameters of hostile(GRANTS[grant_type] ?? {})) {
      world.advance({ minutes: 16 })
      const answer = await world.token({ grant_type, ...parameters })
      expect(answer.status, answer.text).toBe(400)
      expect(answer.json.error).toMatch(/^(invalid_grant|invalid_request|unsupported_grant_type)$/)
    }
  },
)

test('a user name that PostgreSQL refuses is an unknown one, and its attempts are limited', async () => {
  world.advance({ minutes: 16 })
  const statuses: number[] = []
  for (let count = 0; count < 6; count += 1)
    statuses.push((await world.signIn('mia\0@example.com')).status)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
})

test.for(Object.keys(FORMS))('%s answers any text by its own checks', async (path) => {
  for (const body of hostile(FORMS[path] ?? {})) {
    world.advance({ minutes: 16 })
    const answer = await world.call('POST', path, { body })
    expect(answer.status, answer.text).toBeLessThan(500)
    expect(answer.text).not.toContain('A value in the request is not valid.')
  }
})
