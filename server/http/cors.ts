// Cross-origin calls (Fetch standard, CORS protocol): exact origins, and no credentials, since tokens are
// sent in a header.
import { APP_VERSION_HEADER, CAPABILITIES_HEADER } from '../../contract/capabilities.ts'

const CALLS = /^\/(?:(?:api|oauth)\/|(?:healthz|readyz)$)/
const EXPOSED = [CAPABILITIES_HEADER, 'Retry-After', 'ETag', 'Location', 'X-Request-Id'].join(', ')
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': `Authorization, Content-Type, Accept, X-organisation, Idempotency-Key, If-Match, ${APP_VERSION_HEADER}`,
  'Access-Control-Max-Age': '7200',
}

/** Returns the functions that answer a preflight and set the headers of an answer, errors included. */
export function createCors(origins: readonly string[]) {
  const allowed = new Set(origins)
  const isCall = (request: Request) => allowed.size > 0 && CALLS.test(new URL(request.url).pathname)
  const originOf = (request: Request) => {
    const origin = request.headers.get('Origin')
    return origin !== null && allowed.has(origin) ? origin : undefined
  }
  return {
    /** The answer to a preflight of an allowed origin; undefined for other requests. */
    answerPreflight(request: Request): Response | undefined {
      const isPreflight =
        request.method === 'OPTIONS' && request.headers.has('Access-Control-Request-Method')
      if (!isPreflight || !isCall(request) || originOf(request) === undefined) return undefined
      return new Response(null, { status: 204, headers: PREFLIGHT })
    },
    setHeaders(headers: Headers, request: Request): void {
      if (!isCall(request)) return
      headers.append('Vary', 'Origin')
      const origin = originOf(request)
      if (origin === undefined) return
      headers.set('Access-Control-Allow-Origin', origin)
      headers.set('Access-Control-Expose-Headers', EXPOSED)
    },
  }
}
