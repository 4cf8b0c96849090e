// The plain simulation checks the engine against a model, which must behave like the plain server that browsers
// talk to: the same random calls of two users in two organisations get the same answers from both. What a server
// announces beyond the specification is compared with the model of our own server.
import { describe, expect, onTestFinished, test } from 'vitest'
import type { PlainOptions } from '../../../plain-server/plain-options.ts'
import type { Table } from '../../../plain-server/plain-records.ts'
import { PlainServer } from '../../../plain-server/plain-server.ts'
import { ModelServer } from '../model-server.ts'
import type { ServerAnswer } from '../model-tenant.ts'
import { Rng } from '../simulated-environment.ts'
import { plainApi, PlainModel } from './plain-model.ts'

const CALLS = 120
const JSON_TYPE = { 'Content-Type': 'application/json' }

type Headers = Record<string, string>
interface Call {
  method: string
  url: string
  headers: Headers
  body?: object
}

/** Both servers; `send` answers with the model's answer, which is that of the server. */
async function bothServers(options: Partial<PlainOptions>) {
  let names = 0
  const server = await PlainServer.startWith(plainApi(options, () => `plain-${(names += 1)}`))
  onTestFinished(() => server.stop())
  const model = new PlainModel('plain', options)
  const send = async ({ method, url, headers, body }: Call) => {
    const sent = { ...JSON_TYPE, ...headers }
    const text = body && JSON.stringify(body)
    const request = { method, url, headers: sent, ...(text && { body: text }), timeoutMs: 0 }
    const own = model.handle(request, Date.now())
    const answer = await fetch(server.url + url, { method, headers: sent, body: text ?? null })
    const other = { status: answer.status, text: withoutTimes(await answer.text()) }
    expect({ status: own.status, text: withoutTimes(own.text) }, `${method} ${url}`).toEqual(other)
    return own
  }
  return { model, send }
}

const withoutTimes = (text: string) => text.replaceAll(/"(created|updated)_at":"[^"]*"/g, '')

async function signIns(model: PlainModel, send: (call: Call) => Promise<ServerAnswer>) {
  const tokens: string[] = []
  for (const { id } of model.users) {
    const body = model.credentials(id)
    const { text } = await send({ method: 'POST', url: '/oauth/token', headers: {}, body })
    tokens.push((JSON.parse(text) as { access_token: string }).access_token)
  }
  return tokens
}

const TABLES = ['accounts', 'success-plans', 'initiatives', 'actions'] as const

/** A random call, mostly about records of that organisation. */
function randomCall(rng: Rng, model: PlainModel, organisation_id: string): Omit<Call, 'headers'> {
  const noun = rng.pick(TABLES)
  const idOf = (table: Table) => {
    const { tables } = model.api.records
    const records = rng.withProbability(0.8) ? model.records(table, organisation_id) : tables[table]
    return records.length > 0 && rng.withProbability(0.9) ? rng.pick(records).id : '999'
  }
  const id = idOf(noun)
  const plan_id = idOf('success-plans')
  const text = rng.pick(['A plan', '', 'Tom & <b>Jerry</b>', 'ä  ö'])
  const fields = { title: text, name: text, description: text, progress: 30, status: 'paused' }
  const body = {
    ...fields,
    id,
    account_id: idOf('accounts'),
    success_plan_id: plan_id,
    initiative_id: idOf('initiatives'),
  }
  const url = `/api/v1/${noun}`
  const updates = `/api/v1/success-plans/${plan_id}/updates`
  const page = rng.pick(['', '?page=2', '?page=1&per_page=2', '?filters[title]=plan'])
  return rng.pick<Omit<Call, 'headers'>>([
    { method: 'GET', url: url + page },
    { method: 'GET', url: `${url}/${id}` },
    { method: 'GET', url: updates + page },
    {
      method: 'POST',
      url: updates,
      body: { id, body: text, progress: 40, written_at: '2026-03-02' },
    },
    { method: 'POST', url, body },
    { method: noun === 'success-plans' ? 'PATCH' : 'PUT', url: `${url}/${id}`, body },
    { method: 'PUT', url: '/api/v1/actions', body: { ...body, id: idOf('actions') } },
    { method: 'DELETE', url: `${url}/${id}` },
    { method: 'GET', url: '/api/v1/changes?since=0' },
    { method: 'POST', url: '/api/v1/batch', body: { operations: [] } },
    { method: rng.pick(['GET', 'PUT']), url: '/api/v1/userinfo', body: { name: text } },
    { method: 'GET', url: '/api/v1/organisations' },
  ])
}

test.for<[number, Partial<PlainOptions>]>([
  [1, {}],
  [2, { ids: 'uuids', pageSize: 2, pagination: 'cursor', perPage: 'refused' }],
  [3, { ids: 'large-integers', put: 'replaces', text: 'sanitised' }],
  [4, { writes: 'message', unknownRoutes: 405, pagination: 'simple', pageSize: 3 }],
  [5, { writes: 'empty', oddities: { 'no-author': 'all' }, refusedRefresh: 'message' }],
])('seed %i: a server that announces nothing', async ([seed, options]) => {
  const { model, send } = await bothServers(options)
  const tokens = await signIns(model, send)
  const rng = new Rng(seed)
  const statuses = new Set<number>()
  for (let call = 0; call < CALLS; call += 1) {
    const organisation_id = rng.withProbability(0.9) ? rng.pick(model.organisations) : '999'
    const { method, url, body } = randomCall(rng, model, organisation_id)
    const headers = {
      ...(rng.withProbability(0.95) && { Authorization: `Bearer ${rng.pick(tokens)}` }),
      ...(rng.withProbability(0.95) && { 'X-organisation': organisation_id }),
      // Headers that such a server does not know.
      ...(rng.withProbability(0.2) && { 'Idempotency-Key': `key-${rng.integerBelow(3)}` }),
      ...(rng.withProbability(0.2) && { 'If-Match': `"${rng.integerBelow(9)}"` }),
    }
    const { status } = await send({
      method,
      url,
      headers,
      ...(method !== 'GET' && body && { body }),
    })
    statuses.add(status)
  }
  expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 400, 401, 403, 404, 422]))
})

type Fields = Record<string, unknown>
interface Side {
  plan_id: string
  /** As one of the two users. */
  send: (
    by: 0 | 1,
    method: string,
    path: string,
    more?: { body?: object; key?: string; ifMatch?: unknown; now?: number },
  ) => { status: number; data: Fields }
  list: (path: string) => Fields[]
}

/** One of the models, whose users have signed in. */
function sideOf(
  model: PlainModel | ModelServer,
  tokens: readonly string[],
  organisation_id: string,
  plan_id: string,
): Side {
  const send: Side['send'] = (by, method, path, { body, key, ifMatch, now = NOW } = {}) => {
    const headers = {
      Authorization: `Bearer ${tokens[by]}`,
      'X-organisation': organisation_id,
      ...(key && { 'Idempotency-Key': key }),
      ...(ifMatch !== undefined && { 'If-Match': `"${Number(ifMatch)}"` }),
    }
    const text = body && JSON.stringify(body)
    const url = `/api/v1/${path}`
    const request = { method, url, headers, ...(text && { body: text }), timeoutMs: 0 }
    const answer = model.handle(request, now)
    const { data } = JSON.parse(answer.text || '{}') as { data: Fields }
    return { status: answer.status, data }
  }
  const list = (path: string) =>
    send(0, 'GET', `${path}?page=1&per_page=99`).data as unknown as Fields[]
  return { plan_id, send, list }
}

const NOW = Date.UTC(2026, 2, 2)
const ALL = 'ids, keys, partial, versions, effects'

function plainSide(capabilities = ALL) {
  const model = new PlainModel('plain', { pageSize: 99, accessTokenSeconds: 9_999 })
  model.announce(capabilities)
  const tokens = model.users.map(({ id }) => {
    const { access_token } = model.api.tokens.issue(model.credentials(id), model.users, NOW).body
    return String(access_token)
  })
  return { model, side: sideOf(model, tokens, model.organisations[0] ?? '', '1') }
}

function ownSide() {
  const settings = { access_life: 900_000, key_life: Number.MAX_SAFE_INTEGER, page: 500 }
  const model = new ModelServer(settings, () => undefined)
  const tokens = ['ann', 'bob'].map((username) => {
    const password = `secret of ${username}`
    const { body } = model.tokens.issue({ grant_type: 'password', username, password }, NOW)
    return String(body.access_token)
  })
  return { side: sideOf(model, tokens, 'north', 'north-1') }
}

const uuid = (last: number) => `00000000-0000-4000-8000-00000000090${last}`

describe.for([
  ['our own server', ownSide],
  ['a plain server that announces it', plainSide],
] as const)('the model of %s', ([, open]) => {
  test('answers a key again without another effect, for its user alone', () => {
    const { side } = open()
    const before = side.list('accounts').length
    const post = (by: 0 | 1, id: string) =>
      side.send(by, 'POST', 'accounts', { body: { id, name: 'text 1' }, key: 'one' })
    const first = post(0, uuid(1))
    expect(first).toMatchObject({ status: 201, data: { id: uuid(1) } })
    expect(post(0, uuid(1))).toEqual(first)
    expect(side.list('accounts')).toHaveLength(before + 1)
    expect(post(1, uuid(2))).toMatchObject({ status: 201, data: { id: uuid(2) } })
    expect(side.list('accounts')).toHaveLength(before + 2)
  })

  test('answers 412 with the record to an earlier version, and keeps it', () => {
    const { side } = open()
    const body = { id: uuid(1), name: 'text 1' }
    const { data: made } = side.send(0, 'POST', 'accounts', { body })
    const edit = (by: 0 | 1, name: string, ifMatch: unknown) =>
      side.send(by, 'PUT', `accounts/${uuid(1)}`, { body: { name }, ifMatch })
    const taken = edit(0, 'text 2', made.version)
    expect(taken).toMatchObject({ status: 200, data: { name: 'text 2' } })
    expect(Number(taken.data.version)).toBeGreaterThan(Number(made.version))
    const { version } = taken.data
    expect(edit(1, 'text 3', made.version)).toMatchObject({
      status: 412,
      data: { id: uuid(1), name: 'text 2', version },
    })
    expect(side.list('accounts').find(({ id }) => id === uuid(1))).toMatchObject({ name: 'text 2' })
    expect(edit(1, 'text 3', version).status).toBe(200)
  })

  test('gives the progress of an update to its plan, in the version that the answer names', () => {
    const { side } = open()
    const plan = () => side.send(0, 'GET', `success-plans/${side.plan_id}`).data
    const before = plan()
    const body = { id: uuid(1), body: 'text 1', progress: 40, written_at: '2026-03-01T09:00:00Z' }
    const posted = side.send(0, 'POST', `success-plans/${side.plan_id}/updates`, { body })
    expect(posted).toMatchObject({
      status: 201,
      data: { progress_from: before.progress, progress_to: 40 },
    })
    expect(plan()).toMatchObject({ progress: 40, version: posted.data.success_plan_version })
    expect(Number(plan().version)).toBeGreaterThan(Number(before.version))
  })

  test('deletes what belongs to a plan or an initiative with it', () => {
    const { side } = open()
    const [plan, step, action, other, update, account] = [1, 2, 3, 4, 5, 6].map(uuid)
    const title = 'text 1'
    const post = (path: string, body: object) => side.send(0, 'POST', path, { body }).status
    const left = (path: string) =>
      side.list(path).filter(({ id }) => [plan, step, action, other].includes(String(id))).length
    expect([
      post('accounts', { id: account, name: title }),
      post('success-plans', { id: plan, title, account_id: account }),
      post('initiatives', { id: step, title, success_plan_id: plan }),
      post('actions', { id: action, title, success_plan_id: plan, initiative_id: step }),
      post('actions', { id: other, title, success_plan_id: plan }),
      post(`success-plans/${plan}/updates`, { id: update, body: title }),
    ]).toEqual([201, 201, 201, 201, 201, 201])
    expect(side.send(0, 'DELETE', `initiatives/${step}`).status).toBe(204)
    expect([left('initiatives'), left('actions')]).toEqual([0, 1])
    expect(side.send(0, 'DELETE', `success-plans/${plan}`).status).toBe(204)
    expect([left('success-plans'), left('actions')]).toEqual([0, 0])
    expect(side.send(0, 'GET', `success-plans/${plan}/updates`).status).toBe(404)
  })
})

test('a key has another effect once it is forgotten, and 6 minutes after it is no longer announced', () => {
  const { model, side } = plainSide('')
  const post = (now: number) =>
    side.send(0, 'POST', 'accounts', { body: { name: 'text 1' }, key: 'one', now: NOW + now }).data
      .id
  const count = new Set([post(0), post(1)]).size
  model.forgetKeysAfter(600)
  const [kept, again, late] = [post(2), post(3), post(600_002)]
  model.announce('', NOW + 600_003)
  const [lingers, over] = [post(600_004), post(600_003 + 6 * 60_000)]
  expect(count).toBe(2)
  expect(again).toBe(kept)
  expect(lingers).toBe(late)
  expect(new Set([kept, late, over]).size).toBe(3)
})
