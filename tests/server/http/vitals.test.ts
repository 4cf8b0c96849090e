// How fast the app is, as devices report it: a caller adds a name or a page of its own, or very much.
import { Registry } from 'prom-client'
import type { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_VITALS, PAGES, type Vital } from '../../../contract/schemas/vitals.ts'
import { createFieldMetrics } from '../../../server/ops/field-metrics.ts'
import { ApiFixture, CLIENT, PASSWORD, type CallOptions } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let registry: Registry
/** With limits and metrics of its own for each test. */
let app: Hono
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())
beforeEach(() => {
  registry = new Registry()
  app = world.appWith({ countVital: createFieldMetrics(registry), trustProxy: true })
})

const report = (vitals: unknown, options: CallOptions = {}) =>
  world.call('POST', '/api/v1/vitals', { body: { vitals }, ...options }, app)

const copies = (vital: object, length: number) => Array.from({ length }, () => ({ ...vital }))

const LCP = { name: 'LCP', page: '/success-plans', value: 800 }

/** The lines of `/metrics` with that name. */
const linesOf = async (name: string) =>
  (await registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))

test('measurements are counted in the unit of their metric, without a sign-in', async () => {
  const vitals: Vital[] = [
    { name: 'LCP', page: '/success-plans/:id', value: 1_200 },
    { name: 'INP', page: '/success-plans/:id', value: 96 },
    { name: 'CLS', page: '/accounts', value: 0.02 },
    { name: 'start-to-rows', value: 640 },
    { name: 'post-to-saved', value: 12 },
    { name: 'reconnect-to-sent', value: 2_000 },
  ]
  const answer = await report(vitals)
  expect([answer.status, answer.text]).toEqual([204, ''])
  const sum = async (name: string) => await linesOf(`cairn_field_${name}_sum`)
  expect(await sum('lcp_seconds')).toEqual([
    'cairn_field_lcp_seconds_sum{page="/success-plans/:id"} 1.2',
  ])
  expect(await sum('inp_seconds')).toEqual([
    'cairn_field_inp_seconds_sum{page="/success-plans/:id"} 0.096',
  ])
  expect(await sum('cls')).toEqual(['cairn_field_cls_sum{page="/accounts"} 0.02'])
  expect(await sum('start_to_rows_seconds')).toEqual(['cairn_field_start_to_rows_seconds_sum 0.64'])
  expect(await sum('post_to_saved_seconds')).toEqual([
    'cairn_field_post_to_saved_seconds_sum 0.012',
  ])
  expect(await sum('reconnect_to_sent_seconds')).toEqual([
    'cairn_field_reconnect_to_sent_seconds_sum 2',
  ])
})

test.for<[string, object]>([
  ['another name', { ...LCP, name: 'TTFB' }],
  ['a path with an id', { ...LCP, page: '/success-plans/0198c0de-0000-7000-8000-000000000001' }],
  ['a page of no route', { ...LCP, page: '/ada@example.com' }],
  ['no page', { name: 'LCP', value: 1 }],
  ['a value that is no number', { ...LCP, value: '800' }],
  ['a value below 0', { ...LCP, value: -1 }],
  ['no value', { name: 'LCP', page: '/' }],
])('%s is rejected, and nothing of the request is counted', async ([, wrong]) => {
  const before = await registry.metrics()
  const answer = await report([LCP, wrong])
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.json.errors ?? {})).toEqual([expect.stringMatching(/^vitals\.1\b/)])
  expect(await registry.metrics()).toBe(before)
})

test('a number that is infinite in JSON is rejected', async () => {
  const body = `{"vitals":[{"name":"CLS","page":"/","value":1e999}]}`
  const headers = { 'Content-Type': 'application/json' }
  expect((await report(undefined, { body, headers })).status).toBe(422)
})

test('fields beside those of a measurement are ignored', async () => {
  await report([{ ...LCP, user_id: 'ada', label: 'x' }])
  expect(await linesOf('cairn_field_lcp_seconds_count')).toEqual([
    'cairn_field_lcp_seconds_count{page="/success-plans"} 1',
  ])
})

test('absurd values count as the largest possible one', async () => {
  await report([
    { ...LCP, value: 1e300 },
    { name: 'CLS', page: '/', value: 1e300 },
    { name: 'start-to-rows', value: Number.MAX_VALUE },
  ])
  expect(await linesOf('cairn_field_lcp_seconds_sum')).toEqual([
    'cairn_field_lcp_seconds_sum{page="/success-plans"} 60',
  ])
  expect(await linesOf('cairn_field_cls_sum')).toEqual(['cairn_field_cls_sum{page="/"} 10'])
  expect(await linesOf('cairn_field_start_to_rows_seconds_sum')).toEqual([
    'cairn_field_start_to_rows_seconds_sum 600',
  ])
})

test('a full report of the longest names fits, and more does not', async () => {
  const page = PAGES.toSorted((a, b) => b.length - a.length)[0]
  const vital = { name: 'LCP', page, value: 12_345 }
  expect((await report(copies(vital, MAX_VITALS))).status).toBe(204)
  expect((await report(copies(LCP, MAX_VITALS + 1))).json.errors).toEqual({
    vitals: [expect.stringContaining('50 measurements')],
  })
  const padded = { ...LCP, padding: 'x'.repeat(4_096) }
  const answer = await report([padded])
  expect(answer.statusAndBody).toEqual({
    status: 413,
    body: { message: 'The request is larger than 4 KiB.' },
  })
})

test('a flood from one network is refused; other networks, and its own sign-ins, go on', async () => {
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
  const statuses = new Map<number, number>()
  for (let sent = 0; sent < 320; sent += 1) {
    const { status } = await report([LCP], from('203.0.113.7'))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([
    [204, 300],
    [429, 20],
  ])
  const refused = await report('no list at all', from('203.0.113.7'))
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1'])
  expect((await report([LCP], from('203.0.113.8'))).status).toBe(204)
  const { email } = await world.createUser('Mia')
  const grant = { ...CLIENT, grant_type: 'password', username: email, password: PASSWORD }
  const options = { body: grant, ...from('203.0.113.7') }
  expect((await world.call('POST', '/oauth/token', options, app)).status).toBe(200)
  world.advance({ seconds: 5 })
  expect((await report([LCP], from('203.0.113.7'))).status).toBe(204)
})

test('however many different reports arrive, the metrics have the same number of lines', async () => {
  const everything = PAGES.flatMap((page) => [
    { name: 'LCP', page, value: 1 },
    { name: 'INP', page, value: 1 },
    { name: 'CLS', page, value: 1 },
  ])
  for (let at = 0; at < everything.length; at += MAX_VITALS)
    await report(everything.slice(at, at + MAX_VITALS))
  const length = (await registry.metrics()).split('\n').length
  for (const page of ['/a', '/b', '/success-plans/1']) await report([{ ...LCP, page }])
  await report(everything.slice(0, MAX_VITALS))
  expect((await registry.metrics()).split('\n').length).toBe(length)
})
