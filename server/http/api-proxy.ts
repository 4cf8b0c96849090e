// Passes calls through to the API of another server, so that the app needs no cross-origin calls. What comes
// from there must not act on this origin: no cookies, no policies, no page, no script, no redirect.
import * as http from 'node:http'
import * as https from 'node:https'
import { networkOf } from '../auth/network-address.ts'
import { errorFields, log } from '../log.ts'
import { BoundedBodies, RefusedError, type BodyLimits } from './access/bounded-bodies.ts'

const API_PATH = /^\/(?:api|oauth)(?=[/?]|$)/
/** Segments that one server may normalise and the other not: encoded dots, slashes, controls, per cents. */
const AMBIGUOUS = /\/\/|[\\;]|%(?:[01]|2[ef5]|5c|7f)/i
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Only these are passed on: nothing hop-by-hop, no Cookie, no X-Forwarded-*. */
const REQUEST_HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cairn-app',
  'content-type',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'user-agent',
  'x-organisation',
]
/** Only these come back: no Set-Cookie, no Clear-Site-Data, no Service-Worker-Allowed, no policies. */
const RESPONSE_HEADERS = [
  'cairn-capabilities',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'etag',
  'idempotent-replayed',
  'last-modified',
  'location',
  'retry-after',
  'vary',
  'x-request-id',
]
const OWN_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

export interface ProxyLimits extends BodyLimits {
  /** Of one response; event streams are limited by `idleMs` only. */
  maxResponseBytes: number
  /** Longest silence of the API, in milliseconds. Event streams send a heartbeat more often. */
  idleMs: number
  /** Calls at once, without event streams; more are answered with 503. */
  maxCalls: number
  /** Event streams at once; more are answered with 503. */
  maxStreams: number
}

const MIB = 2 ** 20
const LIMITS: ProxyLimits = {
  maxRequestBytes: MIB,
  // A network may be a whole office, most of whose requests have a few KiB.
  maxNetworkBytes: 16 * MIB,
  maxAllBytes: 64 * MIB,
  maxResponseBytes: 64 * MIB,
  idleMs: 60_000,
  maxCalls: 1_024,
  maxStreams: 4_096,
}

interface ProxyOptions {
  /** Origin, and path if it has one, without a trailing slash. */
  url: string
  /** Whether a proxy in front names the client in X-Forwarded-For and X-Forwarded-Proto. */
  trustProxy: boolean
  limits?: Partial<ProxyLimits>
}

/**
 * Returns the function that answers requests below /api and /oauth from the API at `url`, and returns false for
 * others. Its own errors are JSON: 400 for a path that is not normalised, 405, 413, 502, 503, 504.
 */
export function createApiProxy({ url, trustProxy, limits }: ProxyOptions) {
  const api = new URL(url)
  const basePath = api.pathname.replace(/\/$/, '')
  const isSecure = api.protocol === 'https:'
  const { maxResponseBytes, idleMs, maxCalls, maxStreams, ...bodyLimits } = { ...LIMITS, ...limits }
  const { request, Agent } = isSecure ? https : http
  // Certificates are verified, also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
  const verified = isSecure && { rejectUnauthorized: true }
  // A reused connection may break under a call: reads are tried again by the app, a write may be done.
  const [reused, fresh] = [new Agent({ keepAlive: true, ...verified }), new Agent({ ...verified })]
  const bodies = new BoundedBodies(bodyLimits)
  const max = { calls: maxCalls, streams: maxStreams }
  const open = { calls: 0, streams: 0 }

  /** Counts one; returns what ends that, to be called once. Throws RefusedError where there are too many. */
  function take(kind: keyof typeof open): () => void {
    if (open[kind] >= max[kind]) throw new RefusedError(503, `Too many ${kind} at once.`)
    open[kind] += 1
    return () => (open[kind] -= 1)
  }

  /** The address of a call; undefined unless it is below the API's own and reads the same to any server. */
  function targetOf(raw: string): URL | undefined {
    const path = raw.split('?', 1).join('')
    const target = URL.parse(api.origin + basePath + raw)
    const isExact = target?.origin === api.origin && target.pathname === basePath + path
    return isExact && !AMBIGUOUS.test(path) && !raw.includes('#') ? target : undefined
  }

  function clientOf({ headers, socket }: http.IncomingMessage): string {
    const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '').split(',') : []
    return forwarded.at(-1)?.trim() || (socket.remoteAddress ?? 'unknown')
  }

  function headersFor(incoming: http.IncomingMessage, client: string): http.OutgoingHttpHeaders {
    const proto = trustProxy ? incoming.headers['x-forwarded-proto'] : undefined
    return {
      ...pick(incoming.headers, REQUEST_HEADERS),
      'x-forwarded-for': client,
      'x-forwarded-proto': proto === 'https' ? 'https' : 'http',
    }
  }

  async function pass(incoming: http.IncomingMessage, outgoing: http.ServerResponse) {
    const { method = 'GET', url: raw = '/' } = incoming
    const target = targetOf(raw)
    if (!target) throw new RefusedError(400, 'This path is not normalised.')
    if (!METHODS.has(method)) throw new RefusedError(405, 'This method is not allowed.')
    const client = clientOf(incoming)
    const headers = headersFor(incoming, client)
    await bodies.use(incoming, networkOf(client), async (body) => {
      // Only now: requests that are sent slowly, or never to their end, would take all places.
      let end = take('calls')
      try {
        const response = await send(target, { method, headers, body }, outgoing)
        const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false
        if (isStream) {
          const endStream = take('streams')
          end()
          end = endStream
        }
        await answer(response, outgoing, isStream ? Infinity : maxResponseBytes)
      } finally {
        end()
      }
    })
  }

  /** Resolves with the response of the API; the call ends with the answer to the client. */
  async function send(
    target: URL,
    { method, headers, body }: { method: string; headers: http.OutgoingHttpHeaders; body: Buffer },
    outgoing: http.ServerResponse,
  ): Promise<http.IncomingMessage> {
    const isRead = method === 'GET' || method === 'HEAD'
    const hasBody = body.length > 0 && !isRead
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
    const call = request(target, {
      method,
      agent: isRead ? reused : fresh,
      headers: { ...headers, ...(hasBody && { 'content-length': body.length }) },
    })
    outgoing.once('close', () => call.destroy())
    call.once('response', resolve).once('error', reject)
    call.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('The API switched protocols.'))
    })
    call.setTimeout(idleMs, () => call.destroy(new IdleError('The API was silent.')))
    call.end(hasBody ? body : undefined)
    return promise
  }

  return (incoming: http.IncomingMessage, outgoing: http.ServerResponse): boolean => {
    if (!API_PATH.test(incoming.url ?? '')) return false
    void pass(incoming, outgoing).catch((error: unknown) => {
      if (outgoing.destroyed) return
      if (error instanceof RefusedError) {
        fail(outgoing, error.status, error.message)
        return
      }
      log('error', 'API call failed', { method: incoming.method, ...errorFields(error) })
      // A body that is cut off must not look complete.
      if (outgoing.headersSent) outgoing.destroy()
      else if (error instanceof IdleError) fail(outgoing, 504, 'The API did not answer in time.')
      else fail(outgoing, 502, 'The API did not answer.')
    })
    return true
  }
}

class IdleError extends Error {}

function pick(headers: http.IncomingHttpHeaders, names: readonly string[]) {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  )
}

/** Passes the response on. It is destroyed unless it was read to its end. */
async function answer(
  response: http.IncomingMessage,
  outgoing: http.ServerResponse,
  maxBytes: number,
): Promise<void> {
  const { statusCode: status = 502 } = response
  if (status >= 300 && status < 400 && status !== 304) {
    response.destroy()
    throw new RefusedError(502, 'The API answered with a redirect.')
  }
  outgoing.writeHead(status, { ...pick(response.headers, RESPONSE_HEADERS), ...OWN_HEADERS })
  outgoing.flushHeaders()
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    // Its events are over, so waiting for them would never end.
    if (outgoing.destroyed) return
    size += part.length
    if (size > maxBytes) throw new Error('The answer of the API is too large.')
    if (!outgoing.write(part)) await drained(outgoing)
  }
  outgoing.end()
}

/** Resolves when the client takes more, or is gone. */
const drained = (outgoing: http.ServerResponse) =>
  new Promise<void>((resolve) => {
    const end = () => {
      outgoing.off('drain', end).off('close', end)
      resolve()
    }
    outgoing.on('drain', end).on('close', end)
  })

function fail(outgoing: http.ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ message })
  outgoing.writeHead(status, {
    ...OWN_HEADERS,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(status === 503 && { 'Retry-After': '10' }),
    // What was not read of the body would be taken for the next request.
    Connection: 'close',
  })
  outgoing.end(body)
}
