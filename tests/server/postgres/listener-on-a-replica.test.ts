// After a failover the address for notifications is that of a replica, where nothing can listen: each attempt left a
// connection open, until the replica took no more.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createListener } from '../../../server/database/wire/pg-listener.ts'

/** A message of PostgreSQL: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(type: string, body: Buffer | string): Buffer {
  const content = Buffer.from(body)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(4 + content.byteLength)
  return Buffer.concat([Buffer.from(type), length, content])
}
const AUTHENTICATED = message('R', Buffer.alloc(4))
const READY = message('Z', 'I')
const LISTENING = Buffer.concat([message('C', 'LISTEN\0'), READY])
const REFUSED = message('E', 'SERROR\0C25006\0Mcannot execute LISTEN during recovery\0\0')

test('attempts to listen that are refused leave no connection open', async () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    const isFirst = connections === 1
    open.add(socket.on('close', () => open.delete(socket)).on('error', () => undefined))
    socket.once('data', () => {
      socket.write(Buffer.concat([AUTHENTICATED, READY]))
      socket.on('data', (part: Buffer) => {
        if (part.toString('latin1', 0, 1) !== 'Q') return
        socket.write(isFirst ? LISTENING : Buffer.concat([REFUSED, READY]))
      })
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const listener = await createListener({ host: '127.0.0.1', port, user: 'cairn_app' })
  for (const socket of open) socket.destroy()
  await expect.poll(() => connections).toBeGreaterThan(3)
  await expect.poll(() => open.size).toBeLessThanOrEqual(1)
  await listener.close()
  for (const socket of open) socket.destroy()
  server.close()
  spy.mockRestore()
})
