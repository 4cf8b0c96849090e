// The bot check: a verifier on the loopback that says no, says nothing, or is not asked at all.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hono } from 'hono'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createBotCheck } from '../../server/outside/bot-check.ts'
import { PASSWORD, World } from './world.ts'

const SECRET = 'the-secret-of-the-check'

let world: World
let server: Server
let url: string
let app: Hono
/** What the verifier answers; a string is sent as it is. */
let verdict: object | string | undefined
const asked: URLSearchParams[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      asked.push(new URLSearchParams(Buffer.concat(parts).toString()))
      // Without a verdict it never answers.
      if (typeof verdict === 'string') response.end(verdict)
      else if (verdict) response.end(JSON.stringify(verdict))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`
  world = await World.open()
  app = world.appWith({ botCheck: createBotCheck({ secret: SECRET, threshold: 0.5, url }) })
})
beforeEach(() => {
  asked.length = 0
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
const message = 'We could not tell that you are a person. Please reload and try again.'
const REFUSED = { status: 422, body: { message, errors: { captcha_token: [message] } } }

/** What is logged as an error while `work` runs. */
async function failures(work: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line))
  await work().finally(() => spy.mockRestore())
  return lines
}

test('a person registers, and the verifier hears the token and nothing of the person', async () => {
  expect((await register('a-token')).status).toBe(201)
  expect(asked.map((form) => Object.fromEntries(form))).toEqual([
    { secret: SECRET, response: 'a-token' },
  ])
})

test.each([
  ['a token that is not good', { success: false, 'error-codes': ['invalid-input-response'] }],
  ['a token that was used', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
  ['a low score', { success: true, score: 0.4, action: 'register' }],
  ['no score', { success: true, action: 'register' }],
  ['a token of another form', { success: true, score: 0.9, action: 'forgot_password' }],
  ['a token of no form', { success: true, score: 0.9 }],
])('%s registers nobody', async (_what, said) => {
  verdict = said
  expect((await register('a-token')).all).toEqual(REFUSED)
})

test('without a token nobody is asked, and nobody registers', async () => {
  for (const token of [undefined, '']) expect((await register(token)).all).toEqual(REFUSED)
  expect((await register(7)).status).toBe(422)
  expect(asked).toEqual([])
})

test('the score that is good enough is configured', async () => {
  verdict = { success: true, score: 0.4, action: 'register' }
  const lenient = createBotCheck({ secret: SECRET, threshold: 0.4, url })
  expect((await register('a-token', world.appWith({ botCheck: lenient }))).status).toBe(201)
})

test('a forgotten password is guarded alike, known address or not', async () => {
  verdict = { success: true, score: 0.9, action: 'forgot_password' }
  const mia = await world.person('Mia')
  const before = world.mails.length
  const unknown = `nobody-${uuidv7()}@example.com`
  for (const email of [mia.email, unknown]) expect((await forget(email)).all).toEqual(REFUSED)
  for (const email of [mia.email, unknown])
    expect((await forget(email, 'a-token')).status).toBe(202)
  await vi.waitFor(() => expect(world.mails.length).toBe(before + 1))
})

test.each([
  ['is away', 'http://127.0.0.1:1/', undefined],
  ['is a page of somebody', undefined, '<html>Sign in to this network</html>'],
  ['says something else', undefined, { verdict: 'fine' }],
  ['does not know us', undefined, { success: false, 'error-codes': ['invalid-input-secret'] }],
  ['never answers', undefined, undefined],
])('a verifier that %s keeps nobody out, and somebody is told', async (_what, elsewhere, said) => {
  verdict = said
  const botCheck = createBotCheck({ secret: SECRET, threshold: 0.5, url: elsewhere ?? url })
  const at = world.appWith({ botCheck })
  const lines = await failures(async () => {
    expect((await register('a-token', at)).status).toBe(201)
    expect((await register(undefined, at)).all).toEqual(REFUSED)
  })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('bot check')
  expect(lines[0]).not.toContain(SECRET)
})

test('where it is not configured nobody is asked', async () => {
  expect((await register(undefined, world.app)).status).toBe(201)
  expect(asked).toEqual([])
})
