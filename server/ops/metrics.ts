// Metrics in the Prometheus text format.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Vital } from '../../contract/schemas/vitals.ts'
import { sha256 } from '../hash.ts'
import { createFieldMetrics } from './field-metrics.ts'
import { createProductMetrics, type ProductSources } from './product-metrics.ts'

/** A request after its response. */
export interface AnsweredRequest {
  request_id: string
  method: string
  /** The route's pattern, such as `/api/v1/accounts/:id`; `/*` for static files and unknown paths. */
  route: string
  status: number
  /** Whether the answer was the stored one to an earlier request with the same idempotency key. */
  replayed: boolean
  seconds: number
}

/** The metrics of this process. */
export interface Metrics {
  record(answered: AnsweredRequest): void
  /** Adds a measurement of a device. */
  countVital: (vital: Vital) => void
  /** Handles `GET /metrics`: 404 unless the request may read them. `headers` are those of every answer. */
  respond(incoming: IncomingMessage, outgoing: ServerResponse, headers: Headers): Promise<void>
}

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** `token`: bearer token for reading; undefined: only requests from this machine may read. */
export function createMetrics(token: string | undefined, sources: ProductSources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the answer to a request, in seconds.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  })
  const product = createProductMetrics(registry, sources)
  return {
    countVital: createFieldMetrics(registry),
    record(answered) {
      const { method, route, status, seconds } = answered
      requests.observe({ method, route, status }, seconds)
      product.record(answered)
    },
    async respond(incoming, outgoing, headers) {
      outgoing.setHeaders(headers).setHeader('Cache-Control', 'no-store')
      const isAllowed =
        token === undefined
          ? isLocalRequest(incoming)
          : timingSafeEqual(sha256(incoming.headers.authorization ?? ''), sha256(`Bearer ${token}`))
      if (!isAllowed) {
        outgoing
          .writeHead(404, { 'Content-Type': 'application/json' })
          .end('{"message":"Not Found"}')
        return
      }
      await product.refresh()
      const text = await registry.metrics()
      outgoing.writeHead(200, { 'Content-Type': registry.contentType }).end(text)
    },
  }
}

/** Whether a request comes from this machine, and not through a proxy that runs on it. */
function isLocalRequest({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = 'x-forwarded-for' in headers || 'forwarded' in headers
  return !isForwarded && /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '')
}
