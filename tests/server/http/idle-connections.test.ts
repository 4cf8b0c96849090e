// The server closed idle connections after 5 s, while proxies keep theirs for a minute: a request that was on its way
// at that moment was answered with 502 by the proxy.
import { connect, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpServer, listen } from '../../../server/http/http-server.ts'

test('an idle connection is kept for longer than proxies keep theirs', async () => {
  const server = createHttpServer(
    () => new Response('ready'),
    '127.0.0.1',
    () => false,
  )
  await listen(server, 0, '127.0.0.1')
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  let answer = ''
  for await (const part of socket) {
    answer += String(part)
    if (answer.endsWith('ready')) break
  }
  const [, seconds] = /^Keep-Alive: timeout=(\d+)/im.exec(answer) ?? []
  expect(Number(seconds)).toBeGreaterThan(60)
})
