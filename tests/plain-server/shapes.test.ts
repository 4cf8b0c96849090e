// The plain server answers in other shapes than those that tests with it rely on.
import { describe, expect, onTestFinished, test } from 'vitest'
import { PlainApi, type PlainRequest } from './plain-api.ts'
import type { Oddity, PlainOptions } from './plain-options.ts'
import { PlainServer } from './plain-server.ts'

const ANA = { grant_type: 'password', username: 'ana@plain.test', password: 'a plain password' }
const MANY = { accounts: 1, plans: 40 }

/** Ana at a server with those options, in its organisation. */
function signedIn(options: Partial<PlainOptions> = {}, seed = { accounts: 2, plans: 3 }) {
  const api = new PlainApi(options, seed)
  const token = (body: object) =>
    api.handle({ method: 'POST', url: '/oauth/token', headers: {}, body: JSON.stringify(body) })
  const tokens = JSON.parse(token(ANA).text) as { access_token: string; refresh_token: string }
  const [north] = api.records.tables.organisations
  const headers = {
    Authorization: `Bearer ${tokens.access_token}`,
    'X-organisation': north?.id,
  }
  const call = (method: string, url: string, body?: object, more: PlainRequest['headers'] = {}) => {
    const request = { method, url: `/api/v1${url}`, headers: { ...headers, ...more } }
    const answer = api.handle({ ...request, body: body && JSON.stringify(body) })
    return { ...answer, json: JSON.parse(answer.text || 'null') as Record<string, unknown> }
  }
  const list = (url: string) => call('GET', url).json.data as Record<string, unknown>[]
  return { api, call, list, token, tokens }
}

describe('ids', () => {
  test('are numbers that the server counts, each table for itself', () => {
    const { list } = signedIn()
    expect(list('/success-plans').map(({ id }) => id)).toEqual([1, 2, 3])
    expect(list('/accounts').map(({ id }) => id)).toEqual([1, 2])
    expect(list('/success-plans')[0]).toMatchObject({ account_id: 1, owner_id: 1 })
  })

  test('are UUIDs, or numbers that JavaScript cannot hold', () => {
    expect(signedIn({ ids: 'uuids' }).list('/accounts')[0]?.id).toMatch(/^[\da-f-]{36}$/)
    const { call } = signedIn({ ids: 'large-integers' })
    expect(call('GET', '/success-plans').text).toContain('"id":9007199254740993')
    expect(call('GET', '/success-plans/9007199254740993').status).toBe(200)
  })

  test('of clients are ignored, or unique', () => {
    const body = { id: 'mine', title: 'A plan' }
    const { call } = signedIn()
    expect(call('POST', '/success-plans', body).json.data).toMatchObject({ id: 4 })
    expect(call('POST', '/success-plans', body).json.data).toMatchObject({ id: 5 })
    const unique = signedIn({ ids: 'uuids', clientIds: 'unique' })
    expect(unique.call('POST', '/success-plans', body).json.data).toMatchObject({ id: 'mine' })
    expect(unique.call('POST', '/success-plans', body).status).toBe(500)
  })
})

describe('pages', () => {
  test('have the size of the server', () => {
    const { call, list } = signedIn({}, MANY)
    expect(list('/success-plans?page=3&per_page=500')).toHaveLength(10)
    expect(call('GET', '/success-plans?per_page=500').json.meta).toMatchObject({
      current_page: 1,
      last_page: 3,
      per_page: 15,
      total: 40,
    })
    const honoured = signedIn({ perPage: 'honoured' }, MANY)
    expect(honoured.list('/success-plans?per_page=5')).toHaveLength(5)
    const refused = signedIn({ perPage: 'refused' }, MANY)
    expect(refused.call('GET', '/success-plans?per_page=500').status).toBe(422)
    expect(refused.list('/success-plans?page=3')).toHaveLength(10)
  })

  test.for(['simple', 'cursor'] as const)('of the %s paginator are read by links', (pagination) => {
    const { call } = signedIn({ pagination }, MANY)
    let url = '/success-plans'
    const ids: unknown[] = []
    for (let pages = 0; url !== '' && pages < 9; pages += 1) {
      const { data, links, meta } = call('GET', url).json as {
        data: { id: number }[]
        links: { next: string | null }
        meta: object
      }
      ids.push(...data.map(({ id }) => id))
      expect(meta).not.toHaveProperty('last_page')
      url = links.next === null ? '' : `/success-plans?${links.next.split('?')[1]}`
    }
    expect(new Set(ids).size).toBe(40)
  })

  test('have no links and no meta', () => {
    const { call, list } = signedIn({ withoutMeta: true }, MANY)
    expect(Object.keys(call('GET', '/success-plans').json)).toEqual(['data'])
    expect(list('/success-plans?page=4')).toEqual([])
  })
})

test('lists are maps, pages inside the envelope, or null where they are empty', () => {
  expect(signedIn({ lists: 'map' }).call('GET', '/accounts').json.data).toMatchObject({
    'no-0': { id: 1 },
  })
  const nested = signedIn({ lists: 'nested' }, MANY).call('GET', '/success-plans').json
  expect(nested).toMatchObject({ data: { data: expect.any(Array), last_page: 3 } })
  const none = { accounts: 0, plans: 0 }
  expect(signedIn({ lists: 'null' }, none).call('GET', '/accounts').json.data).toBe(null)
})

test.for<[Oddity, string, Record<string, unknown>]>([
  ['null-texts', '/accounts', { notes: null }],
  ['null-lists', '/accounts', { tags: null, contacts: null }],
  ['null-numbers', '/success-plans', { progress: null }],
  ['numbers-as-strings', '/accounts', { arr: '1000.00' }],
  ['words-as-numbers', '/success-plans', { progress: 'a lot' }],
  ['days-as-instants', '/success-plans', { end_date: '2026-12-31T00:00:00.000000Z' }],
  ['days-with-time', '/success-plans', { end_date: '2026-12-31 00:00:00' }],
  ['days-without-dashes', '/success-plans', { end_date: '20261231' }],
  ['days-as-numbers', '/success-plans', { end_date: 20_261_231 }],
  ['days-localised', '/success-plans', { end_date: '31/12/2026' }],
  ['times-without-zone', '/success-plans', { created_at: '2026-03-01 09:00:00' }],
  ['times-in-seconds', '/success-plans', { created_at: 1_772_355_600 }],
  ['null-titles', '/success-plans', { title: null }],
  ['null-ids', '/success-plans', { id: null }],
  ['unknown-status', '/success-plans', { status: 'on_ice' }],
])('%s: the first record or all of them', ([oddity, url, expected]) => {
  const [first, second] = signedIn({ oddities: { [oddity]: 'first' } }).list(url)
  expect(first).toMatchObject(expected)
  for (const [name, value] of Object.entries(expected)) expect(second?.[name]).not.toEqual(value)
  expect(signedIn({ oddities: { [oddity]: 'all' } }).list(url)[1]).not.toMatchObject(second ?? {})
})

test('users are odd, and authors and times are missing', () => {
  const odd = signedIn({
    oddities: {
      'booleans-as-numbers': 'all',
      'no-author': 'all',
      'no-created-at': 'all',
      'no-written-at': 'all',
    },
  })
  expect(odd.call('GET', '/userinfo').json.data).toMatchObject({ superadmin: 0 })
  const [update] = odd.list('/success-plans/1/updates')
  for (const name of ['user_id', 'created_by', 'created_at', 'written_at'])
    expect(update).not.toHaveProperty(name)
})

describe('writes', () => {
  test('answer the record, nothing, or a message', () => {
    const body = { title: 'A plan', end_date: '2026-12-31' }
    const answer = (writes: PlainOptions['writes']) =>
      signedIn({ writes }).call('POST', '/success-plans', body)
    expect(answer('record')).toMatchObject({ status: 201, json: { data: { id: 4, ...body } } })
    expect(answer('empty')).toMatchObject({ status: 204, text: '' })
    expect(answer('message')).toMatchObject({ status: 200, json: { message: 'ok' } })
  })

  test('replace or merge, and sanitise or leave text', () => {
    const put = { name: 'Tom & <b>Jerry</b>' }
    const merged = signedIn().call('PUT', '/accounts/1', put).json.data
    expect(merged).toMatchObject({ ...put, notes: 'A note.' })
    const other = signedIn({ put: 'replaces', text: 'sanitised' })
    expect(other.call('PUT', '/accounts/1', put).json.data).toMatchObject({
      name: 'Tom &amp; Jerry',
      notes: null,
    })
  })

  test('of actions have the id in the body', () => {
    const { call } = signedIn()
    const ticked = call('PUT', '/actions', { id: 1, status: 'done' })
    expect(ticked.json.data).toMatchObject({ id: 1, status: 'done' })
  })

  test('take no status from an update, and no header of ours', () => {
    const { call } = signedIn()
    const body = { body: 'We pause.', status: 'paused' }
    const headers = { 'Idempotency-Key': 'one' }
    expect(call('POST', '/success-plans/1/updates', body, headers).status).toBe(201)
    expect(call('POST', '/success-plans/1/updates', body, headers).status).toBe(201)
    expect(call('GET', '/success-plans/1').json.data).toMatchObject({ status: 'in-progress' })
    expect(call('GET', '/success-plans/1/updates').json.data).toHaveLength(3)
    const strict = signedIn({ ifMatch: 'refused' })
    const edit = strict.call('PATCH', '/success-plans/1', { title: 'B' }, { 'If-Match': '"0"' })
    expect(edit.status).toBe(412)
  })
})

describe('refusals', () => {
  test.for([401, 403, 404, 405, 501] as const)('unknown routes answer %i in JSON', (status) => {
    const { call } = signedIn({ unknownRoutes: status })
    for (const url of ['/changes?since=0', '/events', '/templates'])
      expect(call('GET', url)).toMatchObject({ status, json: {} })
    expect(call('GET', '/success-plans').status).toBe(200)
  })

  test('a call without a token, without an organisation, or of an outsider', () => {
    const { api, call } = signedIn()
    const status = (headers: PlainRequest['headers']) =>
      call('GET', '/success-plans', undefined, headers).status
    expect(status({ Authorization: undefined })).toBe(401)
    expect(status({ 'X-organisation': undefined })).toBe(400)
    const ben = api.addUser('Ben', 'ben@plain.test', 'another password')
    expect(status({ 'X-organisation': api.addOrganisation(ben, 'South').id })).toBe(403)
  })

  test('a test chooses what is refused', () => {
    const { api, call } = signedIn()
    const end = api.refuse({ method: 'GET', path: /\/accounts$/ }, 503, '<h1>Upstream</h1>')
    expect(call('GET', '/success-plans').status).toBe(200)
    expect(api.handle({ method: 'GET', url: '/api/v1/accounts', headers: {} }).status).toBe(503)
    end()
    expect(call('GET', '/accounts').status).toBe(200)
  })
})

test('a refresh token works once; the refusal has the chosen shape', () => {
  const refusals = {
    oauth: 'invalid_request',
    message: undefined,
    invalid_client: 'invalid_client',
  }
  for (const [refusedRefresh, error] of Object.entries(refusals)) {
    const { token, tokens } = signedIn({
      refusedRefresh: refusedRefresh as PlainOptions['refusedRefresh'],
    })
    const { refresh_token } = tokens
    expect(token({ grant_type: 'refresh_token', refresh_token }).status).toBe(200)
    const second = token({ grant_type: 'refresh_token', refresh_token })
    expect(second.status).toBe(401)
    expect((JSON.parse(second.text) as { error?: string }).error).toBe(error)
  }
})

describe('over HTTP', () => {
  const startServer = async (options: Partial<PlainOptions> = {}) => {
    const server = await PlainServer.start(options)
    onTestFinished(() => server.stop())
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    return { server, post }
  }

  test('an origin may call with the headers of the specification only', async () => {
    const { server, post } = await startServer()
    const preflight = await fetch(`${server.url}/api/v1/accounts`, { method: 'OPTIONS' })
    expect(preflight.headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, Accept, X-organisation',
    )
    const signIn = await post('/oauth/token', ANA)
    expect(signIn.headers.get('access-control-allow-origin')).toBe('*')
    expect(signIn.headers.get('access-control-expose-headers')).toBe(null)
    const { cors } = server.api.options
    const silent = await startServer({ cors: { ...cors, onErrors: false } })
    const refused = await fetch(`${silent.server.url}/api/v1/accounts`)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('access-control-allow-origin')).toBe(null)
  })

  test('answers are lost after the commit, or before a late one', async () => {
    const { server, post } = await startServer()
    const tokens = (await (await post('/oauth/token', ANA)).json()) as { access_token: string }
    const headers = { Authorization: `Bearer ${tokens.access_token}`, 'X-organisation': '1' }
    const count = () => server.api.records.tables['success-plans'].length
    const create = () => post('/api/v1/success-plans', { title: 'A plan' }, headers)
    server.loseAnswers({ method: 'POST', path: /success-plans$/ })
    await expect(create()).rejects.toThrow()
    await expect.poll(count).toBe(5)
    const commit = server.delayCommits({ method: 'POST', path: /success-plans$/ })
    await expect(create()).rejects.toThrow()
    expect(count()).toBe(5)
    commit()
    await expect.poll(count).toBe(6)
    expect((await create()).status).toBe(201)
  })
})
