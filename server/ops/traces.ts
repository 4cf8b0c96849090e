// Traces in the OTLP/HTTP protocol with JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding):
// a span for each request and each database transaction. Loaded only when an endpoint is configured.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import type { Database } from '../database/database.ts'
import { errorFields, log } from '../log.ts'
import type { AnsweredRequest } from './metrics.ts'

interface SpanContext {
  traceId: string
  spanId: string
}

/** A span as it is sent: ids in hex, times in nanoseconds since 1970. Status 2 is an error. */
interface Span extends SpanContext {
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue: string } | { intValue: string } }[]
  status: { code?: number }
}

type Fetch = Hono['fetch']

/** Records spans and sends them. */
export interface Tracer {
  /** Answers each request within a span of its own. */
  fetch(next: Fetch): Fetch
  /** Ends the span of the request that is running. */
  record(answered: AnsweredRequest): void
  /** The database with a span for each transaction, below the request that it belongs to. */
  database(database: Database): Database
  /** Sends what is left. */
  stop(): Promise<void>
}

// https://opentelemetry.io/docs/specs/otel/trace/api/#spankind, as numbered in trace.proto
const KIND_SERVER = 2
const KIND_CLIENT = 3
const STATUS_ERROR = 2

const SEND_EVERY_MS = 5_000
const SEND_TIMEOUT_MS = 5_000
/** More spans than this are dropped until the next ones are sent. */
const MAX_WAITING = 2_048

const nanoseconds = (ms: number) =>
  String(BigInt(Math.round((performance.timeOrigin + ms) * 1_000)) * 1_000n)
const newId = (bytes: number) => randomBytes(bytes).toString('hex')
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

/** `endpoint`: the address of a collector, without `/v1/traces`. */
export function createTracer(endpoint: string): Tracer {
  const running = new AsyncLocalStorage<SpanContext>()
  let waiting: Span[] = []
  let isFailing = false

  const add = (span: Span) => {
    if (waiting.length < MAX_WAITING) waiting.push(span)
  }

  async function send(): Promise<void> {
    if (waiting.length === 0) return
    const spans = waiting
    waiting = []
    const resource = { attributes: [text('service.name', 'cairn')] }
    const scopeSpans = [{ scope: { name: 'cairn' }, spans }]
    try {
      const response = await fetch(`${endpoint}/v1/traces`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        redirect: 'error',
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`The collector answered with ${response.status}.`)
      isFailing = false
    } catch (error) {
      // Once, not every five seconds. These spans are lost.
      if (!isFailing) log('error', 'traces not sent', errorFields(error))
      isFailing = true
    }
  }
  let sending: Promise<void> = Promise.resolve()
  const sendNext = () => (sending = sending.then(send))
  const timer = setInterval(() => void sendNext(), SEND_EVERY_MS).unref()

  async function inTransaction<T>(role: string, work: () => Promise<T>): Promise<T> {
    const parent = running.getStore()
    const context = { traceId: parent?.traceId ?? newId(16), spanId: newId(8) }
    const startedAt = performance.now()
    let status: Span['status'] = {}
    try {
      return await work()
    } catch (error) {
      status = { code: STATUS_ERROR }
      throw error
    } finally {
      add({
        ...context,
        ...(parent && { parentSpanId: parent.spanId }),
        name: `transaction ${role}`,
        kind: KIND_CLIENT,
        startTimeUnixNano: nanoseconds(startedAt),
        endTimeUnixNano: nanoseconds(performance.now()),
        attributes: [text('db.system.name', 'postgresql')],
        status,
      })
    }
  }

  return {
    fetch:
      (next) =>
      (...parameters) =>
        running.run({ traceId: newId(16), spanId: newId(8) }, () => next(...parameters)),
    record({ request_id, method, route, status, seconds }) {
      const context = running.getStore()
      if (!context) return
      const endedAt = performance.now()
      add({
        ...context,
        name: `${method} ${route}`,
        kind: KIND_SERVER,
        startTimeUnixNano: nanoseconds(endedAt - seconds * 1_000),
        endTimeUnixNano: nanoseconds(endedAt),
        attributes: [
          text('http.request.method', method),
          text('http.route', route),
          text('cairn.request_id', request_id),
          { key: 'http.response.status_code', value: { intValue: String(status) } },
        ],
        status: status >= 500 ? { code: STATUS_ERROR } : {},
      })
    },
    database: (database) => ({
      ...database,
      tenant: (...call) => inTransaction('tenant', () => database.tenant(...call)),
      tenantSnapshot: (organisation_id, work) =>
        inTransaction('tenant', () => database.tenantSnapshot(organisation_id, work)),
      auth: (...call) => inTransaction('auth', () => database.auth(...call)),
      system: (...call) => inTransaction('system', () => database.system(...call)),
      snapshot: (work) => inTransaction('snapshot', () => database.snapshot(work)),
    }),
    async stop() {
      clearInterval(timer)
      await sendNext()
    },
  }
}
