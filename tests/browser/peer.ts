// Somebody outside who is told things: a real server on this machine that notes what it was sent.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'

export interface TelemetryServer {
  origin: string
  /** Of each request its address, its headers and what it said, unpacked. */
  received: string[]
  /** It is not there any more. */
  stop: () => Promise<void>
}

/** Starts one, which is gone with the test. */
export async function startTelemetryServer(): Promise<TelemetryServer> {
  const received: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const decoded = decompressed(Buffer.concat(parts))
      if (request.method !== 'OPTIONS')
        received.push([request.url, JSON.stringify(request.headers), decoded].join('\n'))
      response.writeHead(200, {
        'Access-Control-Allow-Origin': request.headers.origin ?? '*',
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Allow-Credentials': 'true',
        'Content-Type': 'application/json',
      })
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const goAway = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  onTestFinished(goAway)
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    stop: goAway,
  }
}

/** Clients pack in different ways, or not at all. */
function decompressed(body: Buffer): string {
  if (body[0] === 0x1f && body[1] === 0x8b) return gunzipSync(body).toString()
  const text = body.toString()
  const packed = /^data=([^&]+)/.exec(text)?.[1]
  return packed === undefined ? text : Buffer.from(decodeURIComponent(packed), 'base64').toString()
}
