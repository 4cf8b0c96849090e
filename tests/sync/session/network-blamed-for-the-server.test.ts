// Something else than the network is at fault, and the app says offline; or the other way round.
import { expect, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { classify } from '../../../src/sync/core/api/outcome.ts'
import { Connection, type Exchange } from '../../../src/sync/core/connection.ts'
import { Observable, type ConnectionState } from '../../../src/sync/core/observable.ts'

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

test('three writes without an answer, each after an answered read, are no matter of the network', () => {
  const state = new Observable<ConnectionState>('online')
  const connection = new Connection({
    state,
    retry: () => () => undefined,
    fraction: () => 0,
    onReconnect: () => undefined,
  })
  const exchange = (call: Exchange['call'], result: Exchange['result']) => {
    connection.recordExchange({ call, result })
    return state.get()
  }
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
