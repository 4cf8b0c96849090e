// Unread answers were ended for one that was refused all the same, and so were answers to writes.
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { limitUnsent } from '../../../server/http/access/unsent-answers.ts'

const MIB = 2 ** 20

/** Answers of any size that are not read. */
function serve() {
  const app = new Hono()
  app.use(
    limitUnsent(
      ({ req }) => req.query('network') ?? '',
      (token) => token,
    ),
  )
  app.all('/:bytes', ({ req }) => {
    const answer = new Response()
    answer.headers.set('Content-Length', req.param('bytes'))
    return answer
  })
  return async (user: string, mib: number, { network = 'office', method = 'GET' } = {}) => {
    const socket = new Writable() as unknown as Socket
    const incoming = new IncomingMessage(socket)
    const outgoing = new ServerResponse(incoming)
    outgoing.assignSocket(socket)
    const headers = { Authorization: `Bearer ${user}` }
    const path = `/${mib * MIB}?network=${network}`
    const { status } = await app.request(path, { method, headers }, { incoming, outgoing })
    return { status, socket }
  }
}
type Ask = ReturnType<typeof serve>

/** So many answers of 4 MiB to each of some users; returns their connections. */
async function fill(ask: Ask, users: string[], times: number, network?: string) {
  const sockets: Socket[] = []
  for (const user of users)
    for (let count = 0; count < times; count += 1) {
      const { status, socket } = await ask(user, 4, network ? { network } : {})
      expect(status).toBe(200)
      sockets.push(socket)
    }
  return sockets
}

/** Their names are their tokens, which have no spaces. */
const people = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`)
const countEnded = (sockets: Socket[]) => sockets.filter(({ destroyed }) => destroyed).length

test('no answer is ended where the network would still have no room', async () => {
  const ask = serve()
  const most = await fill(ask, ['Ada'], 4)
  const others = await fill(ask, people('Other', 6), 2)
  expect((await ask('New', 10)).status).toBe(503)
  expect(countEnded([...most, ...others])).toBe(0)
  expect((await ask('New', 7)).status).toBe(200)
  expect([countEnded(most), countEnded(others)]).toEqual([2, 0])
})

test('no answer of a network is ended where all networks together would still have no room', async () => {
  const ask = serve()
  const most = await fill(ask, ['Ada'], 3)
  await fill(ask, people('Colleague', 12), 1)
  await fill(ask, people('Far', 16), 1, 'second')
  await fill(ask, ['Alone'], 1, 'third')
  expect((await ask('New', 8)).status).toBe(503)
  expect(countEnded(most)).toBe(0)
  expect((await ask('New', 4)).status).toBe(200)
  expect(countEnded(most)).toBe(1)
})

test('the answer to a write is not ended to make room', async () => {
  const ask = serve()
  const write = await ask('Ada', 10, { method: 'POST' })
  const read = await ask('Ada', 4)
  const others = await fill(ask, people('Other', 6), 2)
  expect((await ask('New', 4)).status).toBe(200)
  expect([write.socket.destroyed, read.socket.destroyed]).toEqual([false, true])
  // Ada still has the most, and nothing that may end.
  expect((await ask('New', 3)).status).toBe(200)
  expect([write.socket.destroyed, countEnded(others)]).toEqual([false, 1])
})
