// @vitest-environment jsdom
// Another front end of the server has stored both tokens, and not their user: the app takes its visitor for signed
// out and deletes the tokens.
import 'fake-indexeddb/auto'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { adoptTokens } from '../../../src/sync/browser/adopt-tokens.ts'
import { readStoredSession, writeStoredSession } from '../../../src/sync/browser/session-storage.ts'
import { startEngine } from '../../../src/sync/browser/start-engine.ts'
import { createSync } from '../../../src/sync/client.ts'
import { SESSION_KEY, type StoredSession } from '../../../src/sync/core/session-store.ts'
import { screenCache } from '../../../src/sync/react/apply-changes.ts'
import { useNodeLocks } from '../../screens/fixtures/node-locks.ts'
import { EngineFixture, waitFor } from '../engine-fixture.ts'

const ADA = { id: '7', name: 'Ada', email: 'ada@plain.test' }
const OLD = [401, { error: 'unauthenticated', message: 'Unauthenticated.' }] as const
const LEFT = { user_id: '7', forced: false }

/** The server's answers by path and token; no answer arrives to others. */
type Answers = Record<string, readonly [status: number, body: object]>

beforeEach(() => {
  useNodeLocks()
  localStorage.clear()
  localStorage.setItem('access_token', 'access')
  localStorage.setItem('refresh_token', 'refresh')
})

const tokens = () => [localStorage.getItem('access_token'), localStorage.getItem('refresh_token')]

/** A tab that has started; `before` is what IndexedDB has. */
async function start(answers: Answers, before?: StoredSession) {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  if (before)
    await stage.store.transact(['session'], 'readwrite', async (tx) =>
      tx.put('session', SESSION_KEY, before),
    )
  stage.network = ({ url, headers, body }) => {
    const { refresh_token } = JSON.parse(body ?? '{}') as { refresh_token?: string }
    const answer = answers[`${url} ${refresh_token ?? headers['Authorization']?.slice(7)}`]
    if (!answer) throw new Error('There is no network.')
    const [status, json] = answer
    return { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(json) }
  }
  const engine = stage.engine()
  engine.session.subscribe((stored) => writeStoredSession(localStorage, stored))
  await engine.start(readStoredSession(localStorage))
  await adoptTokens(engine, stage.ports(), { ...product.token, client: async () => ({}) })
  return (await engine.session.reload()).session
}

test('the user of the tokens is signed in, in the organisation that is stored beside them', async () => {
  localStorage.setItem('active_organisation', '{"id":"north","user_id":"7"}')
  expect(await start({ '/api/v1/userinfo access': [200, { data: ADA }] })).toMatchObject({
    access_token: 'access',
    refresh_token: 'refresh',
    user: ADA,
    active_organisation: { id: 'north' },
  })
  expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject(ADA)
})

test('the user of the tokens is signed in also after a sign-out here', async () => {
  localStorage.setItem('session_seq', '5')
  const answers: Answers = { '/api/v1/userinfo access': [200, { data: ADA }] }
  expect(await start(answers, { seq: 5, session: null, left: LEFT })).toMatchObject({ user: ADA })
})

test('tokens that are older than a sign-out are deleted', async () => {
  localStorage.setItem('session_seq', '4')
  const answers: Answers = { '/api/v1/userinfo access': [200, { data: ADA }] }
  expect(await start(answers, { seq: 5, session: null, left: LEFT })).toBe(null)
  expect(tokens()).toEqual([null, null])
})

test('an old access token is refreshed first', async () => {
  const session = await start({
    '/api/v1/userinfo access': OLD,
    '/oauth/token refresh': [200, { access_token: 'second', refresh_token: 'next' }],
    '/api/v1/userinfo second': [200, { data: ADA }],
  })
  expect(session).toMatchObject({ access_token: 'second', refresh_token: 'next', user: ADA })
})

test('tokens that the server refuses are deleted', async () => {
  const refused: Answers = {
    '/api/v1/userinfo access': OLD,
    '/oauth/token refresh': [400, { error: 'invalid_grant' }],
  }
  expect(await start(refused)).toBe(null)
  expect(tokens()).toEqual([null, null])
})

test.for<Answers>([
  {},
  { '/api/v1/userinfo access': OLD },
  { '/api/v1/userinfo access': [503, {}] },
  { '/api/v1/userinfo access': OLD, '/oauth/token refresh': [403, {}] },
])('they stay where the server does not refuse them: %o', async (answers) => {
  expect(await start(answers)).toBe(null)
  expect(tokens()).toEqual(['access', 'refresh'])
})

test('tokens that were refreshed before the network was lost replace them', async () => {
  const answers: Answers = {
    '/api/v1/userinfo access': OLD,
    '/oauth/token refresh': [200, { access_token: 'second', refresh_token: 'next' }],
  }
  expect(await start(answers)).toBe(null)
  expect(tokens()).toEqual(['second', 'next'])
})

test('a page asks for the user at its start, and again when there is a network', async () => {
  let isOnline = false
  const asked = vi.fn<(path: string) => void>()
  vi.stubGlobal('fetch', async (given: Request | string) => {
    const { pathname } = new URL(given instanceof Request ? given.url : given, location.href)
    asked(pathname)
    if (pathname === '/config.json') return Response.json({ clientId: 'app' })
    if (!isOnline) throw new TypeError('Failed to fetch')
    const isUser = pathname === '/api/v1/userinfo'
    return isUser ? Response.json({ data: ADA }) : Response.json({}, { status: 404 })
  })
  const client = createSync(async (page) => startEngine(page, product, screenCache))
  expect(client.lacksUser).toBe(true)
  await client.start()
  expect(asked).toHaveBeenCalledWith('/api/v1/userinfo')
  expect(tokens()).toEqual(['access', 'refresh'])
  isOnline = true
  dispatchEvent(new Event('online'))
  await waitFor(() => expect(client.session.current()?.user).toMatchObject(ADA))
  expect(client.lacksUser).toBe(false)
})
