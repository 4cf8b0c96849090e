// The app takes a server for one that can more or less than it announces.
import { expect, test } from 'vitest'
import { parseCapabilities } from '../../../src/sync/core/api/capabilities.ts'
import { engineTable } from '../../../contract/engine-table.ts'
import { offline, waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

const { calls } = engineTable

const VIEW_ID = '018f4d3a-0000-7000-8000-000000000001'

test.for<[string, Record<string, string>]>([
  ['ids, keys=2592000, versions', { ids: '', keys: '2592000', versions: '' }],
  [' IDs ,,keys = 5, a b, =, sign-ins,\tevents', { ids: '', 'sign-ins': '', events: '' }],
  ['', {}],
])('reads "%s"', ([list, expected]) => {
  expect(Object.fromEntries(parseCapabilities(list))).toEqual(expected)
})

test('what the server announces counts for each user and address, and is read again at a start', async () => {
  const stage = new PlainFixture({ capabilities: 'ids, keys=60' })
  stage.address = { baseUrl: '', isUnknown: true }
  const tab = await stage.tab()
  expect(tab.http.capabilities.known('ids')).toBe('unknown')
  stage.address = { baseUrl: '' }
  expect(tab.http.capabilities.known('ids')).toBe('no')
  const { capabilities } = (await stage.anasTab()).http
  expect(['ids', 'versions'].map((name) => capabilities.known(name))).toEqual(['yes', 'no'])
  expect(capabilities.of('keys')).toBe('60')
  const later = await stage.tab()
  await waitFor(() => expect(later.http.capabilities.of('keys')).toBe('60'))
  stage.address = { baseUrl: 'https://other.test' }
  expect(later.http.capabilities.known('ids')).toBe('unknown')
})

test('the configuration counts where no header can be read; a header counts more', async () => {
  const stage = new PlainFixture()
  stage.address = { baseUrl: '', capabilities: 'events' }
  const { http } = await stage.tab()
  expect([http.capabilities.known('events'), http.capabilities.known('ids')]).toEqual(['yes', 'no'])
  const { capabilities } = (await stage.anasTab()).http
  expect(capabilities.has('events')).toBe(true)
  stage.plain.options.capabilities = 'ids'
  const tab = await stage.readTab()
  expect(tab.http.capabilities.list).toBe('ids')
})

test('a server that announces nothing has none, and none of their calls is made', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  expect(tab.http.capabilities.known('changes')).toBe('no')
  const asked = stage.plain.requests.map(({ path }) => path)
  expect(asked.filter((path) => /changes|events|templates/.test(path))).toEqual([])
})

test.for<[string, { status: number; text?: string }]>([
  ['an error', { status: 500 }],
  ['a refusal', { status: 422 }],
  ['a page', { status: 200, text: '<h1>Sign in to the train</h1>' }],
  ['no content', { status: 204, text: '' }],
  ['another body', { status: 200, text: '"ok"' }],
])('%s changes nothing', async ([, { status, text }]) => {
  const stage = new PlainFixture({ capabilities: 'ids' })
  const tab = await stage.readTab()
  stage.plain.options.capabilities = 'keys'
  stage.plain.refuse({ path: /userinfo$/ }, status, text)
  await tab.call(calls.getUserinfo, {})
  expect(tab.http.capabilities.list).toBe('ids')
})

test.for([404, 405, 501])(
  'a call that answers %i is absent until another list is announced',
  async (status) => {
    const stage = new PlainFixture({ capabilities: 'templates', unknownRoutes: 404 })
    const tab = await stage.anasTab()
    stage.plain.refuse({ path: /templates$/ }, status)
    await tab.call(calls.listTemplates, {})
    const { capabilities } = tab.http
    expect(capabilities.has('templates')).toBe(false)
    const before = stage.plain.seen('GET', /templates/).length
    await tab.call(calls.getTemplate, { path: { id: '1' } })
    await tab.call(calls.listAccounts, {})
    expect(capabilities.has('templates')).toBe(false)
    expect(stage.plain.seen('GET', /templates/)).toHaveLength(before)
    stage.plain.options.capabilities = 'templates, ids'
    await tab.call(calls.listAccounts, {})
    expect(capabilities.has('templates')).toBe(true)
  },
)

test('403 and a missing record do not make a capability absent', async () => {
  const stage = new PlainFixture({ capabilities: 'templates' })
  const tab = await stage.anasTab()
  await tab.call(calls.getTemplate, { path: { id: '1' } })
  expect(tab.http.capabilities.has('templates')).toBe(true)
  stage.plain.refuse({ path: /templates$/ }, 403)
  await tab.call(calls.listTemplates, {})
  expect(tab.http.capabilities.has('templates')).toBe(true)
})

test('401 means one refresh, and absence where a core call takes the fresh tokens', async () => {
  const stage = new PlainFixture({ capabilities: 'sign-ins' })
  const tab = await stage.readTab()
  const refreshes = () =>
    stage.plain.seen('POST', /token$/).filter(({ body }) => body?.includes('refresh_token')).length
  stage.plain.refuse({ path: /sign-ins$/ }, 401)
  await tab.call(calls.listSignIns, {})
  const { capabilities } = tab.http
  expect([refreshes(), capabilities.has('sign-ins')]).toEqual([1, true])
  await tab.call(calls.listAccounts, {})
  expect(capabilities.has('sign-ins')).toBe(false)
  await tab.call(calls.listSignIns, {})
  expect(refreshes()).toBe(1)
  expect(tab.session.caller()).toBeDefined()
})

test('what is queued is still sent where only a 401 to another call says that the server lacks it', async () => {
  const stage = new PlainFixture({ capabilities: 'views' })
  const tab = await stage.readTab()
  stage.plain.refuse({ path: /saved-views$/ }, 401)
  await tab.call(calls.listSavedViews, {})
  await tab.call(calls.listAccounts, {})
  expect(tab.http.capabilities.has('views')).toBe(false)
  const input = { path: { id: VIEW_ID }, body: { name: 'Mine', search: 'status=planned' } }
  await tab.call(calls.putSavedView, input)
  expect(stage.plain.seen('PUT', /saved-views/)).toHaveLength(1)
  await tab.call(calls.listSavedViews, {})
  expect(stage.plain.seen('GET', /saved-views$/)).toHaveLength(2)
})

test.for<[string, { status: number; text?: string }]>([
  ['a redirect', { status: 302, text: '' }],
  ['a page that forbids', { status: 403, text: '<h1>Forbidden</h1>' }],
  ['no JSON', { status: 200, text: '<h1>Welcome</h1>' }],
  ['errors only', { status: 500 }],
  ['a bad gateway', { status: 502, text: '<h1>Bad gateway</h1>' }],
])('the lists are read where `changes` answers %s and other calls work', async ([, answer]) => {
  const stage = new PlainFixture({ capabilities: 'changes' })
  stage.plain.refuse({ path: /changes$/ }, answer.status, answer.text)
  const tab = await stage.anasTab()
  await waitFor(async () => {
    await tab.pullScheduler.pull()
    expect(await stored(tab, 'success_plans')).toHaveLength(40)
  })
  await waitFor(() => expect(tab.state.downloadState.get().phase).toBe('idle'))
  await waitFor(() => expect(tab.state.connection.get()).toBe('online'))
})

test('one failure of `changes` does not lead to the lists', async () => {
  const stage = new PlainFixture({ capabilities: 'changes' })
  let asked = 0
  const page = { data: { deleted: [] }, version: 1, more: false, latest: 1 }
  stage.network = (request) => {
    if (!request.url.includes('/changes')) return stage.answer(request)
    asked += 1
    const headers = { 'content-type': 'application/json' }
    return { status: asked === 1 ? 500 : 200, headers, text: JSON.stringify(page) }
  }
  const tab = await stage.anasTab()
  await waitFor(async () => {
    await tab.pullScheduler.pull()
    expect(tab.state.downloadState.get().phase).toBe('idle')
  })
  expect(asked).toBeGreaterThan(1)
  expect(stage.plain.seen('GET', /accounts$/)).toEqual([])
})

test('a capability that is announced, and whose list the server does not have, is not offered', async () => {
  const stage = new PlainFixture({ capabilities: 'ids, templates' })
  const { capabilities } = (await stage.readTab()).http
  await waitFor(() => expect(capabilities.names).toBe('ids'))
  expect(capabilities.list).toBe('ids, templates')
})

test.for<[string, { status: number; headers: Record<string, string>; text: string } | undefined]>([
  ['a page', { status: 200, headers: { 'content-type': 'text/html' }, text: '<h1>Hi</h1>' }],
  ['an error without CORS headers', undefined],
])('a health check that gets %s does not keep the app offline', async ([, answer]) => {
  const stage = new PlainFixture({ capabilities: 'health' })
  const tab = await stage.readTab()
  stage.network = offline
  await tab.pullScheduler.pullAgain()
  expect(tab.state.connection.get()).toBe('offline')
  stage.answersUnread = answer === undefined
  stage.network = (request) => {
    if (request.url !== '/healthz') return stage.answer(request)
    if (!answer) throw new TypeError('Failed to fetch')
    return answer
  }
  await waitFor(() => expect(tab.state.connection.get()).toBe('online'))
  expect(stage.requests.filter(({ url }) => url === '/oauth/token')).toHaveLength(1)
})
