// The floor of telling devices: server-sent events on bare `node:http`. What is posted goes to all who listen.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const listening = new Set<ServerResponse>()

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
    listening.add(response)
    response.once('close', () => listening.delete(response))
    return
  }
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.once('end', () => {
    const event = Buffer.concat(parts)
    for (const one of listening) one.write(event)
    response.writeHead(201).end()
  })
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
