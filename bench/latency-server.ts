// A server that does almost nothing: static files, and an API that accepts every update after a fixed
// round-trip time. What remains to be measured is the work on the device.
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { PlainApi } from '../tests/plain-server/plain-api.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css',
  '.json': 'application/json',
}

export interface LatencyServer {
  url: string
  stop(): Promise<void>
}

/** Serves `folder`, and an API whose answers take `roundTrip` milliseconds, or `plain` as the API. */
export async function startLatencyServer(
  folder: string,
  roundTrip = 0,
  plain?: PlainApi,
): Promise<LatencyServer> {
  async function respond(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { method = 'GET', url = '/', headers: received } = incoming
    const { pathname } = new URL(url, 'http://peer')
    if (plain && /^\/(api|oauth)\//.test(pathname)) {
      const parts = await incoming.toArray()
      const body = Buffer.concat(parts as Buffer[]).toString() || undefined
      const { authorization, ['content-type']: type } = received
      const sent = {
        authorization,
        'content-type': type,
        'x-organisation': String(received['x-organisation']),
      }
      const { status, headers, text } = plain.handle({ method, url, headers: sent, body })
      return outgoing.writeHead(status, headers).end(text)
    }
    const answer = (status: number, body: unknown) =>
      outgoing.writeHead(status, { 'Content-Type': TYPES['.json'] }).end(JSON.stringify(body))
    const [, plan_id] = /^\/api\/v1\/success-plans\/([^/]+)\/updates$/.exec(pathname) ?? []
    if (plan_id !== undefined) {
      const parts = await incoming.toArray()
      const parsed = JSON.parse(Buffer.concat(parts as Buffer[]).toString()) as object
      await new Promise((resolve) => setTimeout(resolve, roundTrip))
      return answer(201, { data: { ...parsed, success_plan_id: plan_id, version: 1 } })
    }
    if (pathname === '/api/v1/changes')
      return answer(200, { data: { deleted: [] }, version: 1, more: false })
    if (pathname.startsWith('/api/')) return answer(404, { message: 'Not Found' })
    const file = join(folder, pathname === '/' ? 'index.html' : pathname)
    const bytes = await readFile(file).catch(() => undefined)
    if (!bytes) return answer(404, { message: 'Not Found' })
    return outgoing.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? '' }).end(bytes)
  }
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
