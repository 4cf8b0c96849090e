// The network port's event stream on a real connection that is silent, cut, or not a stream at all.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createNetwork } from '../../../src/sync/browser/web-ports.ts'
import { Cancellation } from '../../../src/sync/core/change-subscription.ts'
import type { ServerEvent } from '../../../src/sync/core/ports.ts'

/**
 * A server that answers as `answer` does, and a subscription to it. `timeout` in milliseconds. `take` is awaited for
 * each event.
 */
async function subscribe(
  answer: (to: ServerResponse) => void,
  timeout = 5_000,
  take?: (event: ServerEvent) => Promise<void>,
) {
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const events: ServerEvent[] = []
  const stop = new Cancellation()
  const ended = createNetwork(() => `http://127.0.0.1:${port}`).stream(
    { method: 'GET', url: '/events', headers: {}, timeoutMs: timeout },
    (event) => {
      events.push(event)
      return take?.(event)
    },
    stop,
  )
  return { events, ended, stop, server }
}

const open = (to: ServerResponse) => to.writeHead(200, { 'content-type': 'text/event-stream' })

test('parses events across any chunk boundary and skips comments', async () => {
  const { events, ended } = await subscribe((to) => {
    open(to)
    const stream = ': hello\n\nevent: version\r\ndata: {"version":7}\r\n\r\ndata: a\ndata: é\n\n'
    for (const byte of Buffer.from(stream)) to.write(Buffer.of(byte))
    to.end('event: version\ndata: never finished\n')
  })
  expect((await ended).status).toBe(200)
  expect(events).toEqual([
    { type: 'version', data: '{"version":7}' },
    { type: 'message', data: 'a\né' },
  ])
})

/** Waits for a count in real time while the timers of the code under test are fake. */
async function waitForCount(what: string, count: () => number, least: number): Promise<void> {
  const end = performance.now() + 30_000
  while (count() < least) {
    if (performance.now() > end) throw new Error(`${what}: ${count()} instead of ${least}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('ends a silent stream, and keeps one that sends heartbeats', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const silent = await subscribe((to) => void open(to).write('data: one\n\n'), 150)
  await waitForCount('events', () => silent.events.length, 1)
  vi.advanceTimersByTime(150)
  expect((await silent.ended).status).toBe(200)

  const { promise: response, resolve: respond } = Promise.withResolvers<ServerResponse>()
  const alive = await subscribe((to) => respond(open(to)), 150)
  const stream = await response
  const timers = vi.spyOn(globalThis, 'setTimeout')
  for (let beat = 1; beat <= 6; beat += 1) {
    stream.write(': beat\n\n')
    // A heartbeat is no event: that it has arrived shows in the timer that it restarts.
    await waitForCount('timers', () => timers.mock.calls.length, beat)
    vi.advanceTimersByTime(100)
  }
  stream.write('data: late\n\n')
  await waitForCount('events', () => alive.events.length, 1)
  expect(alive.events).toEqual([{ type: 'message', data: 'late' }])
  vi.advanceTimersByTime(150)
  await alive.ended
})

test('reads no further while an event is taken, however long that is', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { promise: taken, resolve: take } = Promise.withResolvers<void>()
  const { promise: response, resolve: respond } = Promise.withResolvers<ServerResponse>()
  const { events, ended } = await subscribe(
    (to) => respond(open(to)),
    150,
    () => taken,
  )
  const stream = await response
  stream.write('data: one\n\n')
  await waitForCount('events', () => events.length, 1)
  await new Promise((written) => void stream.write('data: two\n\n', written))
  for (let turn = 0; turn < 100; turn += 1) await new Promise((next) => void setImmediate(next))
  expect(events).toHaveLength(1)
  vi.advanceTimersByTime(1_000)
  take()
  await waitForCount('events', () => events.length, 2)
  stream.end()
  await ended
})

test('resolves when a stream is cut, and rejects without a connection', async () => {
  const cut = await subscribe((to) => {
    open(to).write('data: one\n\n')
    setImmediate(() => to.destroy())
  })
  expect((await cut.ended).status).toBe(200)
  const { server } = cut
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  const refused = await subscribe((to) => void to.destroy())
  await expect(refused.ended).rejects.toThrow(/./)
})

test('closes the connection on abort', async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const { ended, stop, events } = await subscribe((to) => {
    to.on('close', close)
    open(to).write('data: one\n\n')
  })
  await expect.poll(() => events.length).toBe(1)
  stop.cancel()
  await ended
  await closed
})

test('returns a response that is not a stream', async () => {
  const { ended, events } = await subscribe((to) => {
    to.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not found."}')
  })
  const answer = await ended
  expect({ ...answer, type: answer.header('content-type') }).toMatchObject({
    status: 404,
    text: '{"message":"Not found."}',
    type: 'application/json',
  })
  expect(events).toEqual([])
})
