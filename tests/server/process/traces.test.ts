// Traces reach a collector, without ids or texts of users, and are not even loaded without one.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ServerProcess, newFolder } from '../fixtures/server-process.ts'
import { waitFor } from '../../wait-for.ts'

// Each test starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[]
}
interface Sent {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
}

let folder: Awaited<ReturnType<typeof newFolder>>
const received: { path: string | undefined; type: string | undefined; body: string }[] = []
const collector = createServer((incoming, outgoing) => {
  let body = ''
  incoming.setEncoding('utf8')
  incoming.on('data', (part: string) => (body += part))
  incoming.on('end', () => {
    received.push({ path: incoming.url, type: incoming.headers['content-type'], body })
    outgoing.end('{}')
  })
})
let endpoint: string
beforeAll(async () => {
  folder = await newFolder()
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
})
beforeEach(() => folder.reset())
afterAll(async () => {
  collector.close()
  await folder.remove()
})

const spansOf = (bodies: string[]) =>
  bodies
    .flatMap((body) => (JSON.parse(body) as Sent).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)

test('each request is a span, with its transactions below it', async () => {
  const server = await new ServerProcess(folder.path, {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  }).ready()
  const headers = await server.register('mia.secret@example.com')
  const plan = { title: 'Hidden title', type: 'project' }
  await server.call('POST', '/api/v1/success-plans', plan, headers)
  const unknown = '01900000-0000-7000-8000-000000000001'
  await server.call('GET', `/api/v1/success-plans/${unknown}`, undefined, headers)
  const isThere = () =>
    spansOf(received.map(({ body }) => body)).some(
      ({ name }) => name === 'GET /api/v1/success-plans/:id',
    )
  await waitFor(() => expect(isThere()).toBe(true))
  await server.stop('SIGTERM')
  for (const { path, type } of received)
    expect([path, type]).toEqual(['/v1/traces', 'application/json'])
  const spans = spansOf(received.map(({ body }) => body))
  const created = spans.find(({ name }) => name === 'POST /api/v1/success-plans')
  expect(created).toMatchObject({ kind: 2 })
  expect(created?.parentSpanId).toBeUndefined()
  expect(created?.attributes).toContainEqual({
    key: 'http.response.status_code',
    value: { intValue: '201' },
  })
  const below = spans.filter(({ parentSpanId }) => parentSpanId === created?.spanId)
  expect(below.map(({ name }) => name)).toContain('transaction tenant')
  expect(new Set(below.map(({ traceId }) => traceId))).toEqual(new Set([created?.traceId]))
  for (const span of spans) {
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
    const [start, end] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)]
    expect(end >= start).toBe(true)
    expect(Math.abs(Number(end / 1_000_000n) - Date.now())).toBeLessThan(120_000)
  }
  for (const { body } of received) {
    expect(body).not.toContain(unknown)
    expect(body).not.toMatch(/Hidden|secret/)
  }
})

/** Prints each file that is loaded. */
const PRINT_LOADED = `data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module'
   registerHooks({ load(url, context, next) { console.log('loaded ' + url); return next(url, context) } })`,
)}`

test('without a collector the module for traces is not loaded', async () => {
  const loadedWith = async (env: Record<string, string>) => {
    const options = { ...env, NODE_OPTIONS: `--import "${PRINT_LOADED}"` }
    const server = await new ServerProcess(folder.path, options).ready()
    await server.stop('SIGTERM')
    return server.output.split('\n').filter((line) => line.startsWith('loaded '))
  }
  const without = await loadedWith({})
  expect(without.filter((line) => line.includes('/server/ops/metrics.ts'))).toHaveLength(1)
  expect(without.filter((line) => line.includes('/server/ops/traces.ts'))).toEqual([])
  const loaded = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  expect(loaded.filter((line) => line.includes('/server/ops/traces.ts'))).toHaveLength(1)
})

test('a collector that is away is logged once, and requests are answered', async () => {
  const server = await new ServerProcess(folder.path, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  }).ready()
  expect((await server.call('GET', '/readyz')).status).toBe(200)
  await waitFor(() => expect(server.output).toContain('traces not sent'))
  await server.call('GET', '/readyz')
  await server.stop('SIGTERM')
  expect(server.output.match(/traces not sent/g)).toHaveLength(1)
})
