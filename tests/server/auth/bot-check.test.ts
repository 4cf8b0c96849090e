// The bot check, with a verifier on the loopback that rejects, does not answer, or is not asked at all.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hono } from 'hono'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createBotCheck } from '../../../server/integrations/bot-check.ts'
import { PASSWORD, ApiFixture } from '../fixtures/api-fixture.ts'
import { rejection } from '../fixtures/rejection.ts'
import { waitFor } from '../../wait-for.ts'

const SECRET = 'the-secret-of-the-check'

let world: ApiFixture
let server: Server
let url: string
let app: Hono
/** The verifier's answer; a string is sent as it is. */
let verdict: object | string | undefined
const verifierRequests: URLSearchParams[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      verifierRequests.push(new URLSearchParams(Buffer.concat(parts).toString()))
      // Without a verdict it never answers.
      if (typeof verdict === 'string') response.end(verdict)
      else if (verdict) response.end(JSON.stringify(verdict))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`
  world = await ApiFixture.open()
  app = world.appWith({ botCheck: createBotCheck({ secret: SECRET, threshold: 0.5, url }) })
})
beforeEach(() => {
  verifierRequests.length = 0
  verdict = { success: true, score: 0.9, action: 'register' }
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await world.close()
})

const register = (captcha_token?: unknown, at = app) => {
  const body = { name: 'Mia', email: `mia-${uuidv7()}@example.com`, captcha_token }
  const password = { password: PASSWORD, password_confirmation: PASSWORD }
  return world.call('POST', '/api/v1/register', { body: { ...body, ...password } }, at)
}
const forget = (email: string, captcha_token?: string) =>
  world.call('POST', '/api/v1/forgot-password', { body: { email, captcha_token } }, app)
const REFUSED = rejection(
  'captcha_token',
  'We could not tell that you are a person. Please reload and try again.',
)

/** What is logged as an error while `work` runs. */
async function captureErrors(work: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line))
  await work().finally(() => spy.mockRestore())
  return lines
}

test('registration sends the verifier the token and nothing about the user', async () => {
  expect((await register('a-token')).status).toBe(201)
  expect(verifierRequests.map((form) => Object.fromEntries(form))).toEqual([
    { secret: SECRET, response: 'a-token' },
  ])
})

test.each([
  ['an invalid token', { success: false, 'error-codes': ['invalid-input-response'] }],
  ['a used token', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
  ['a low score', { success: true, score: 0.4, action: 'register' }],
  ['no score', { success: true, action: 'register' }],
  ['a token for another form', { success: true, score: 0.9, action: 'forgot_password' }],
  ['a token without a form', { success: true, score: 0.9 }],
])('%s registers no user', async (_what, answer) => {
  verdict = answer
  expect((await register('a-token')).statusAndBody).toEqual(REFUSED)
})

test('a missing token is rejected without asking the verifier', async () => {
  for (const token of [undefined, ''])
    expect((await register(token)).statusAndBody).toEqual(REFUSED)
  expect((await register(7)).status).toBe(422)
  expect(verifierRequests).toEqual([])
})

test('the minimum score is configurable', async () => {
  verdict = { success: true, score: 0.4, action: 'register' }
  const lenient = createBotCheck({ secret: SECRET, threshold: 0.4, url })
  expect((await register('a-token', world.appWith({ botCheck: lenient }))).status).toBe(201)
})

test('password reset is checked alike for known and unknown addresses', async () => {
  verdict = { success: true, score: 0.9, action: 'forgot_password' }
  const mia = await world.createUser('Mia')
  const before = world.mails.length
  const unknown = `unknown-${uuidv7()}@example.com`
  for (const email of [mia.email, unknown])
    expect((await forget(email)).statusAndBody).toEqual(REFUSED)
  for (const email of [mia.email, unknown])
    expect((await forget(email, 'a-token')).status).toBe(202)
  await waitFor(() => expect(world.mails.length).toBe(before + 1))
})

test.each([
  ['is unreachable', 'http://127.0.0.1:1/', undefined],
  ['answers with an HTML page', undefined, '<html>Sign in to this network</html>'],
  ['answers with other JSON', undefined, { verdict: 'fine' }],
  ['rejects the secret', undefined, { success: false, 'error-codes': ['invalid-input-secret'] }],
  ['never answers', undefined, undefined],
])('a verifier that %s lets users through and is logged', async (_what, elsewhere, answer) => {
  verdict = answer
  const botCheck = createBotCheck({ secret: SECRET, threshold: 0.5, url: elsewhere ?? url })
  const at = world.appWith({ botCheck })
  const lines = await captureErrors(async () => {
    expect((await register('a-token', at)).status).toBe(201)
    expect((await register(undefined, at)).statusAndBody).toEqual(REFUSED)
  })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('bot check')
  expect(lines[0]).not.toContain(SECRET)
})

test('without configuration no check is made', async () => {
  expect((await register(undefined, world.app)).status).toBe(201)
  expect(verifierRequests).toEqual([])
})
