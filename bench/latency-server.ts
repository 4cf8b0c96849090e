// A server that does almost nothing: static files, and an API that accepts every update after the time of
// its line. What remains to be measured is the work on the device.
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

const PLAN = /^\/api\/v1\/success-plans\/([^/]+)\/updates$/

interface Batch {
  operations: { key: string; path: string; body: object }[]
}

export interface LatencyServer {
  url: string
  stop(): Promise<void>
}

/** A line to a server that is far away. */
export interface Line {
  /** Milliseconds. */
  roundTrip: number
  /** Of all requests together, headers included; unlimited unless given. */
  bytesPerSecond?: number
}

/** Headers of a request and its answer, roughly: compressed by HTTP/2. */
const HEADER_BYTES = 200

/** Serves `folder`, and an API at the end of `line`, or `plain` as the API. */
export async function startLatencyServer(
  folder: string,
  { roundTrip, bytesPerSecond = Infinity }: Line = { roundTrip: 0 },
  plain?: PlainApi,
): Promise<LatencyServer> {
  let freeAt = 0
  /** Resolves when so many bytes have passed the line, behind what is on it already. */
  async function pass(bytes: number): Promise<void> {
    const now = performance.now()
    freeAt = Math.max(now, freeAt) + ((bytes + HEADER_BYTES) / bytesPerSecond) * 1_000
    await new Promise((resolve) => setTimeout(resolve, freeAt - now + roundTrip / 2))
  }
  /** The answer to an update, or to one operation of a batch. */
  const updateOf = (plan_id: string, body: object) => ({
    data: { ...body, success_plan_id: plan_id, version: 1 },
  })
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
    const [, plan_id] = PLAN.exec(pathname) ?? []
    if (plan_id !== undefined || pathname === '/api/v1/batch') {
      const text = Buffer.concat((await incoming.toArray()) as Buffer[]).toString()
      await pass(text.length)
      const parsed = JSON.parse(text) as Partial<Batch>
      const result =
        plan_id !== undefined
          ? updateOf(plan_id, parsed)
          : {
              data: parsed.operations?.map(({ key, path, body }) => ({
                key,
                status: 201,
                headers: {},
                body: updateOf(PLAN.exec(path)?.[1] ?? '', body),
              })),
            }
      await pass(JSON.stringify(result).length)
      return answer(plan_id === undefined ? 200 : 201, result)
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
