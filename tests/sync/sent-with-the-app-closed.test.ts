import { expect, onTestFinished, test } from 'vitest'
import { product } from '../../src/app/product.ts'
import { replayInBackground } from '../../src/sync/background.ts'
import type { Operation } from '../../src/sync/operation.ts'
import { Outbox } from '../../src/sync/outbox.ts'
import type { Ports } from '../../src/sync/ports.ts'
import { Stage, say, unplugged, until } from './stage.ts'

const MINUTE = 60_000

/** A device on which Ann said something in the air and closed the app. */
async function closed(...texts: string[]): Promise<{ stage: Stage; said: Operation[] }> {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const tab = await stage.signedIn('ann')
  stage.network = unplugged
  const said: Operation[] = []
  for (const text of texts) said.push(await say(tab, text))
  await until(() => expect(tab.connection.get()).toBe('offline'))
  stage.closeTabs()
  stage.requests.length = 0
  stage.network = (_request, answer) => answer()
  return { stage, said }
}

/** The worker's replay; resolves to what is left for another try. */
function inBackground(
  stage: Stage,
  { ports = stage.ports(), last = false, sleep = async (_wait: number) => {} } = {},
): Promise<number> {
  const client = async () => ({ client_id: 'app' })
  return replayInBackground(ports, { ...product.token, client }, { last, sleep })
}

const outboxOf = (stage: Stage) => new Outbox(stage.ports()).all()

test('said with the app closed: sent once and in order, under its author', async () => {
  const { stage } = await closed('First.', 'Second.')
  expect(await inBackground(stage)).toBe(0)
  expect(await inBackground(stage)).toBe(0)
  expect(stage.effects).toMatchObject([
    { text: 'First.', user_id: 'ann', organisation_id: 'north' },
    { text: 'Second.', user_id: 'ann', organisation_id: 'north' },
  ])
})

test('the access token ran out: renewed in the background, and the next start goes on with the new one', async () => {
  const { stage } = await closed('They signed.')
  stage.ahead = 20 * MINUTE
  expect(await inBackground(stage)).toBe(0)
  expect(stage.texts).toEqual(['They signed.'])
  const refreshes = () => stage.requests.filter(({ url }) => url === '/oauth/token').length
  const spent = refreshes()
  const tab = await stage.tab()
  await until(() => expect(tab.lastSyncedAt.get()).not.toBe(null))
  expect(tab.session.current().session?.user.id).toBe('ann')
  expect(refreshes()).toBe(spent)
})

test('no answer: kept, and the browser is asked for another try', async () => {
  const { stage, said } = await closed('They signed.')
  stage.network = unplugged
  expect(await inBackground(stage)).toBe(1)
  expect(await outboxOf(stage)).toMatchObject([{ id: said[0]?.id, state: 'pending' }])
})

test('a refused refresh signs out and seals, and asks for no other try', async () => {
  const { stage } = await closed('They signed.')
  stage.ahead = 20 * MINUTE
  stage.network = (request, answer) =>
    request.url === '/oauth/token'
      ? {
          status: 400,
          headers: { 'content-type': 'application/json' },
          text: '{"error":"invalid_grant"}',
        }
      : answer()
  expect(await inBackground(stage)).toBe(0)
  const tab = await stage.tab()
  expect(tab.session.current()).toMatchObject({ session: null, left: { user_id: 'ann' } })
  expect(await tab.outbox.all()).toMatchObject([{ state: 'pending', user_id: 'ann' }])
})

test('a server that asks for patience: waited for where it is short, else left to a later try', async () => {
  const busy = (seconds: number) => ({
    status: 503,
    headers: { 'content-type': 'application/json', 'retry-after': String(seconds) },
    text: '{"message":"Busy"}',
  })
  const { stage } = await closed('They signed.')
  stage.network = (request, answer) => (request.method === 'POST' ? busy(120) : answer())
  expect(await inBackground(stage)).toBe(1)

  const other = await closed('They signed.')
  other.stage.network = (request, answer) => (request.method === 'POST' ? busy(20) : answer())
  let now = Date.now()
  const slept: number[] = []
  const sleep = async (wait: number) => {
    slept.push(Math.round(wait / 1_000))
    now += wait
    other.stage.network = (_request, answer) => answer()
  }
  const ports: Ports = { ...other.stage.ports(), clock: { now: () => now } }
  expect(await inBackground(other.stage, { ports, sleep })).toBe(0)
  expect(slept).toEqual([20])
  expect(other.stage.texts).toEqual(['They signed.'])
})

test('what needs somebody asks for no other try', async () => {
  const { stage } = await closed('They signed.')
  stage.network = (request, answer) =>
    request.method === 'POST'
      ? {
          status: 422,
          headers: { 'content-type': 'application/json' },
          text: '{"message":"No.","errors":{}}',
        }
      : answer()
  expect(await inBackground(stage)).toBe(0)
  expect(await outboxOf(stage)).toMatchObject([
    { state: 'attention', last_error: { message: 'No.' } },
  ])
})

test('an old worker leaves alone what a newer build has said', async () => {
  const { stage } = await closed('They signed.')
  const newer = { id: 'newer', v: 2, seq: 0, state: 'pending', user_id: 'ann' }
  await stage.store.transact(['operations'], 'readwrite', async (tx) =>
    tx.put('operations', 'newer', newer),
  )
  expect(await inBackground(stage)).toBe(0)
  expect(stage.texts).toEqual(['They signed.'])
  const kept = await stage.store.transact(['operations'], 'readonly', (tx) =>
    tx.get('operations', 'newer'),
  )
  expect(kept).toEqual(newer)
})

test('one that is sending already is left in peace, and open tabs are told to read back what was sent', async () => {
  const { stage } = await closed('They signed.')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const slow: Ports = stage.ports()
  const exchange = slow.network.exchange.bind(slow.network)
  slow.network = {
    ...slow.network,
    exchange: async (request) => {
      if (request.method === 'POST') await held
      return await exchange(request)
    },
  }
  const first = inBackground(stage, { ports: slow })
  await until(async () => expect(await outboxOf(stage)).toMatchObject([{ attempts: 1 }]))
  const heard: string[] = []
  stage.ports().channel.subscribe(({ type }) => heard.push(type))
  const second = inBackground(stage)
  await until(async () => {
    const { pending } = await navigator.locks.query()
    expect(pending?.map(({ name }) => name)).toEqual(['cairn-replay'])
  })
  release()
  expect(await Promise.all([first, second])).toEqual([0, 0])
  expect(stage.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  expect(heard).toContain('sent')
})

test('what was waited out too long is not waited for: an event lives for minutes only', async () => {
  const { stage } = await closed('They signed.')
  stage.network = (request, answer) =>
    request.method === 'POST'
      ? { status: 503, headers: { 'content-type': 'application/json' }, text: '{"message":"Busy"}' }
      : answer()
  let now = Date.now()
  const sleep = async (wait: number) => void (now += wait)
  const began = now
  const ports: Ports = { ...stage.ports(), clock: { now: () => now } }
  expect(await inBackground(stage, { ports, sleep, last: true })).toBe(1)
  expect(now - began).toBeLessThan(2 * MINUTE)
})
