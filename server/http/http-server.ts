// The listener of the process: limits of time, and one address.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { StartError } from '../errors/start-error.ts'

const WILDCARD_HOSTS = new Set(['0.0.0.0', '::'])

/** A client that reads nothing for this time is disconnected: what it does not read stays in memory. */
const STALLED_MS = 60_000

/**
 * Proxies and load balancers keep idle connections for 60 s. Whichever side closes them first must be theirs: a request
 * that is on its way to a connection closed here is answered with 502.
 */
const KEPT_ALIVE_MS = 65_000

/** Answers a request that is not for the app, and says whether it does. */
type Intercept = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

/** `intercept` sees requests as they arrived, before their URL is parsed. */
export function createHttpServer(
  fetch: Hono['fetch'],
  hostname: string,
  intercept: Intercept,
  { stalledMs = STALLED_MS } = {},
): Server {
  const respond = getRequestListener(fetch, { hostname })
  // Timeouts are checked every second, so that slow bodies are cut off in time.
  const timeouts = {
    connectionsCheckingInterval: 1_000,
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    keepAliveTimeout: KEPT_ALIVE_MS,
  }
  return createServer(timeouts, (incoming, outgoing) => {
    const { socket } = incoming
    // Called when nothing was written or read for that time. `writableLength` is 0 while an answer is not ready yet, or
    // an event stream has no events.
    outgoing.setTimeout(stalledMs, () => socket.writableLength > 0 && socket.destroy())
    if (incoming.method === 'TRACE') {
      outgoing.writeHead(405, { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' }).end()
      return
    }
    if (!intercept(incoming, outgoing)) void respond(incoming, outgoing)
  })
}

/** Resolves with the address to open. Throws StartError when the address cannot be used. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const line =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is in use. Stop the program that uses it, or set PORT to another one.`
          : `HOST ${host} with PORT ${port} cannot be used: ${error.message}.`
      reject(new StartError(line, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
  const address = server.address()
  // The wildcard address cannot be opened in a browser.
  const name = WILDCARD_HOSTS.has(host) ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  return `http://${name}:${typeof address === 'object' && address ? address.port : port}`
}

/** Throws StartError when a server could not listen there now. */
export async function requireFreeAddress(port: number, host: string): Promise<void> {
  const server = createServer()
  await listen(server, port, host)
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}
