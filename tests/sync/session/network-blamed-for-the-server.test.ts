// Something else than the network is at fault, and the app says offline; or the other way round.
import { expect, onTestFinished, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { classify } from '../../../src/sync/core/api/outcome.ts'
import { Connection, type Exchange } from '../../../src/sync/core/connection.ts'
import { Observable, type ConnectionState } from '../../../src/sync/core/observable.ts'
import { EngineFixture, waitFor } from '../engine-fixture.ts'

const callOf = (name: string) => {
  const call = product.calls[name]
  if (!call) throw new Error('There is no such call.')
  return call
}
const read = callOf('listAccounts')
const write = callOf('createAccount')

test.each([
  ['another server’s', 'text/plain', 'Please sign in', 'isForeign'],
  ['another server’s', 'text/html', '{"data":[]}', 'isForeign'],
  ['an odd answer of this one', 'text/plain', '{"data":[]}', 'notUnderstood'],
  ['an odd answer of this one', 'application/json', '{"data":[', 'notUnderstood'],
])('it is %s: %s with %s', (_, type, text, what) => {
  const response = {
    status: 200,
    text,
    header: (name: string) => (name === 'content-type' ? type : null),
  }
  const outcome = classify(read, response, { id: undefined, now: 0, onRead: () => undefined })
  expect(outcome).toEqual({ kind: 'unreachable', [what]: true })
})

/** A connection that was used for nothing yet. */
function connected() {
  const state = new Observable<ConnectionState>('online')
  const scheduled: { delayMs: number; work: () => void }[] = []
  const connection = new Connection({
    state,
    schedule: (delayMs, work) => {
      scheduled.push({ delayMs, work })
      return () => undefined
    },
    retry: () => undefined,
    fraction: () => 0,
    onReconnect: () => undefined,
  })
  const exchange = (call: Exchange['call'], result: Exchange['result']) => {
    connection.recordExchange({ call, result })
    return state.get()
  }
  return { state, connection, exchange, scheduled }
}

test('nothing is blamed before the first request', () => {
  expect(connected().connection.offline).toBe(false)
})

test('requests that fail together delay the next attempt as one does', () => {
  const { exchange, scheduled } = connected()
  for (let count = 0; count < 7; count += 1) exchange(read, 'unreachable')
  scheduled.at(-1)?.work()
  exchange(read, 'unreachable')
  expect(scheduled.map(({ delayMs }) => delayMs)).toEqual([500, 1_000])
})

test('writes without an answer count as offline, up to two of them after an answered read', () => {
  const { exchange } = connected()
  expect(exchange(write, 'unreachable')).toBe('offline')
  for (let count = 0; count < 2; count += 1) {
    exchange(read, 'answered')
    expect(exchange(write, 'unreachable')).toBe('offline')
  }
})

test('three writes without an answer, each after an answered read, do not count as offline', () => {
  const { state, exchange } = connected()
  const failWrite = () => [exchange(read, 'answered'), exchange(write, 'unreachable')]
  expect([failWrite(), failWrite()]).toEqual([
    ['online', 'offline'],
    ['online', 'offline'],
  ])
  // Without a read in between it may be the network again.
  expect(exchange(write, 'unreachable')).toBe('offline')
  expect(failWrite()).toEqual(['online', 'not-understood'])
  expect(exchange(read, 'answered')).toBe('not-understood')
  expect(exchange(write, 'answered')).toBe('online')
  // It counts from the beginning again.
  expect([failWrite(), failWrite(), failWrite()].at(1)).toEqual(['online', 'offline'])
  expect(state.get()).toBe('not-understood')
})

test('an answer that was not as agreed counts until the next complete pull', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBe(null))
  const states: ConnectionState[] = []
  tab.state.connection.subscribe(() => states.push(tab.state.connection.get()))
  stage.network = ({ url }, answer) =>
    url.startsWith('/api/v1/accounts')
      ? { status: 200, headers: { 'content-type': 'application/json' }, text: '{"data":[' }
      : answer()
  await tab.call(read, {})
  await waitFor(() => expect(states).toEqual(['not-understood', 'online']))
})
