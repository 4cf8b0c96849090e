// Transactions that take one lock hold a connection each while they wait, one caller keeps the others waiting, or the
// line grows without end.
import { expect, test } from 'vitest'
import type { Tx } from '../../../server/database/connection.ts'
import type { Database } from '../../../server/database/database.ts'
import { withTurns } from '../../../server/http/sync/organisation-turns.ts'

/** A database whose transactions end when the test says so, in the order in which they began. */
function heldDatabase() {
  const began: { name: string; end: (error?: Error) => void }[] = []
  const auth = async (work: (tx: Tx) => Promise<string>) => {
    const name = await work(undefined as unknown as Tx)
    await new Promise<void>((resolve, reject) => {
      began.push({ name, end: (error) => (error ? reject(error) : resolve()) })
    })
  }
  const limits = { running: 4, together: 10, waiting: 3 }
  const database = withTurns({ auth } as unknown as Database, limits)
  const call = (caller: string, lock = 'user Mia') =>
    database.authInTurn({ lock, caller }, () => Promise.resolve(caller))
  return { began, call, read: () => database.auth(() => Promise.resolve('a read')) }
}

/** Waits until everything that is not blocked has run. */
const tick = () => new Promise((resolve) => setImmediate(resolve))

test('of transactions with one lock one runs, and all others run at once', async () => {
  const { began, call, read } = heldDatabase()
  const calls = [call('a'), call('b'), call('c', 'user Olga'), read(), read()]
  await tick()
  expect(began.map(({ name }) => name)).toEqual(['a', 'c', 'a read', 'a read'])
  for (let place = 0; place < calls.length; place += 1) {
    began[place]?.end()
    await tick()
  }
  await Promise.all(calls)
})

test('callers take turns, and the one with most in a full line is refused', async () => {
  const { began, call } = heldDatabase()
  const flood = Array.from({ length: 4 }, () => call('Mallory'))
  const refused = expect(flood[3]).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '5' },
  })
  const own = call('Mia')
  await refused
  for (let place = 0; place < 4; place += 1) {
    await tick()
    began[place]?.end()
  }
  await Promise.all([own, ...flood.slice(0, 3)])
  expect(began.map(({ name }) => name)).toEqual(['Mallory', 'Mallory', 'Mia', 'Mallory'])
})

test('a transaction that fails gives its turn to the next one', async () => {
  const { began, call } = heldDatabase()
  const [first, second] = [call('a'), call('a')]
  await tick()
  began[0]?.end(new Error('The connection broke.'))
  await expect(first).rejects.toThrow('The connection broke.')
  await tick()
  began[1]?.end()
  await second
  const third = call('a')
  await tick()
  began[2]?.end()
  await third
})
