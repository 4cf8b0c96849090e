// Passes calls through to the API of another server, so that the app needs no cross-origin calls. What comes
// from there must not act on this origin: no cookies, no policies, no page, no script, no redirect.
import * as http from 'node:http'
import * as https from 'node:https'
import { errorFields, log } from '../log.ts'

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

export interface ProxyLimits {
  maxRequestBytes: number
  /** Of one response; event streams are limited by `idleMs` only. */
  maxResponseBytes: number
  /** Longest silence of the API, in milliseconds. Event streams send a heartbeat more often. */
  idleMs: number
  /** Calls at once; more are answered with 503. */
  maxCalls: number
}

const LIMITS: ProxyLimits = {
  maxRequestBytes: 1024 * 1024,
  maxResponseBytes: 64 * 1024 * 1024,
  idleMs: 60_000,
  maxCalls: 1_024,
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
  const { maxRequestBytes, maxResponseBytes, idleMs, maxCalls } = { ...LIMITS, ...limits }
  const { request, Agent } = isSecure ? https : http
  // Certificates are verified, also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
  const verified = isSecure && { rejectUnauthorized: true }
  // A reused connection may break under a call: reads are tried again by the app, a write may be done.
  const [reused, fresh] = [new Agent({ keepAlive: true, ...verified }), new Agent({ ...verified })]
  let calls = 0

  /** The address of a call; undefined unless it is below the API's own and reads the same to any server. */
  function targetOf(raw: string): URL | undefined {
    const path = raw.split('?', 1).join('')
    const target = URL.parse(api.origin + basePath + raw)
    const isExact = target?.origin === api.origin && target.pathname === basePath + path
    return isExact && !AMBIGUOUS.test(path) && !raw.includes('#') ? target : undefined
  }

  function headersFor(incoming: http.IncomingMessage): http.OutgoingHttpHeaders {
    const { headers, socket } = incoming
    const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '').split(',') : []
    const proto = trustProxy ? headers['x-forwarded-proto'] : undefined
    return {
      ...pick(headers, REQUEST_HEADERS),
      'x-forwarded-for': forwarded.at(-1)?.trim() || (socket.remoteAddress ?? 'unknown'),
      'x-forwarded-proto': proto === 'https' ? 'https' : 'http',
    }
  }

  async function pass(incoming: http.IncomingMessage, outgoing: http.ServerResponse) {
    const { method = 'GET', url: raw = '/' } = incoming
    const target = targetOf(raw)
    if (!target) return fail(outgoing, 400, 'This path is not normalised.')
    if (!METHODS.has(method)) return fail(outgoing, 405, 'This method is not allowed.')
    const body = await readBody(incoming, maxRequestBytes)
    if (!body) return fail(outgoing, 413, `The request is larger than ${maxRequestBytes} bytes.`)
    const hasBody = body.length > 0 && method !== 'GET' && method !== 'HEAD'
    const headers = {
      ...headersFor(incoming),
      ...(hasBody && { 'content-length': body.length }),
    }
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
    const agent = method === 'GET' || method === 'HEAD' ? reused : fresh
    const call = request(target, { method, agent, headers })
    outgoing.once('close', () => call.destroy())
    call.once('response', resolve).once('error', reject)
    call.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('The API switched protocols.'))
    })
    call.setTimeout(idleMs, () => call.destroy(new IdleError('The API was silent.')))
    call.end(hasBody ? body : undefined)
    const response = await promise
    const { statusCode: status = 502 } = response
    if (status >= 300 && status < 400 && status !== 304) {
      response.destroy()
      return fail(outgoing, 502, 'The API answered with a redirect.')
    }
    outgoing.writeHead(status, { ...pick(response.headers, RESPONSE_HEADERS), ...OWN_HEADERS })
    outgoing.flushHeaders()
    const isStream = response.headers['content-type']?.startsWith('text/event-stream')
    let size = 0
    for await (const part of response as AsyncIterable<Buffer>) {
      size += part.length
      if (!isStream && size > maxResponseBytes)
        throw new Error('The answer of the API is too large.')
      if (!outgoing.write(part)) await drained(outgoing)
    }
    outgoing.end()
  }

  return (incoming: http.IncomingMessage, outgoing: http.ServerResponse): boolean => {
    if (!API_PATH.test(incoming.url ?? '')) return false
    if (calls >= maxCalls) {
      fail(outgoing, 503, 'Too many calls at once.')
      return true
    }
    calls += 1
    void pass(incoming, outgoing)
      .catch((error: unknown) => {
        if (outgoing.destroyed) return
        log('error', 'API call failed', { method: incoming.method, ...errorFields(error) })
        // A body that is cut off must not look complete.
        if (outgoing.headersSent) outgoing.destroy()
        else if (error instanceof IdleError) fail(outgoing, 504, 'The API did not answer in time.')
        else fail(outgoing, 502, 'The API did not answer.')
      })
      .finally(() => (calls -= 1))
    return true
  }
}

class IdleError extends Error {}

function pick(headers: http.IncomingHttpHeaders, names: readonly string[]) {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  )
}

/** The whole body, so that its length is our own; undefined when it is too large. */
async function readBody(incoming: http.IncomingMessage, maxBytes: number) {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Resolves when the client takes more, or is gone. */
const drained = (outgoing: http.ServerResponse) =>
  new Promise<void>((resolve) => {
    outgoing.once('drain', resolve).once('close', resolve)
  })

function fail(outgoing: http.ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ message })
  outgoing.writeHead(status, {
    ...OWN_HEADERS,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    // What was not read of the body would be taken for the next request.
    Connection: 'close',
  })
  outgoing.end(body)
}
