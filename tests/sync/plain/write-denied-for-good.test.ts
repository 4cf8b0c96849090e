// The server answers 401 to a write for good, with tokens that it takes for everything else.
import { expect, test } from 'vitest'
import type { NetworkRequest } from '../../../src/sync/core/ports.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

const DENIED = {
  status: 401,
  headers: { 'content-type': 'application/json' },
  text: '{"message":"Not for you."}',
}

const isPut = ({ method, url }: NetworkRequest) => method === 'PUT' && url.endsWith('/actions')

const isChange = (request: NetworkRequest) =>
  isPut(request) && request.body?.includes('Renamed.') === true

/** A tab with a change of an action, at a server that denies what `isDenied` names. */
async function denying(isDenied: (request: NetworkRequest) => boolean, capabilities = '') {
  const stage = new PlainFixture({ capabilities })
  const { actions } = stage.plain.records.tables
  actions.push({ ...actions[0], id: '2' })
  const tab = await stage.readTab()
  const server = { isDenied }
  stage.network = (request) => (server.isDenied(request) ? DENIED : stage.answer(request))
  stage.requests.length = 0
  const attempts = () => stage.requests.filter(isChange).length
  const refreshes = () => stage.requests.filter(({ url }) => url === '/oauth/token').length
  const { id } = await tab.enqueue('updateAction', { body: { id: '1', title: 'Renamed.' } })
  const change = async () => (await tab.outbox.all()).find((one) => one.id === id)
  const denials = async () => (await change())?.denials
  const postponed = () =>
    waitFor(async () => expect((await change())?.not_before).toBeGreaterThan(stage.now()))
  await postponed()
  /** Lets `times` further attempts be made, three minutes apart. */
  const retry = async (times: number) => {
    for (let count = 0; count < times; count += 1) {
      const before = attempts()
      stage.aheadMs += 200_000
      await waitFor(() => {
        tab.wake()
        expect(attempts()).toBeGreaterThan(before)
      })
      await postponed()
    }
  }
  return { stage, tab, server, attempts, refreshes, denials, retry }
}

test.for(['', 'keys'])(
  'the write needs attention after an hour, with the words of the server, and a deletion is sent (%s)',
  async (capabilities) => {
    const { stage, tab, server, attempts, refreshes } = await denying(isPut, capabilities)
    await tab.enqueue('deleteAccount', { path: { id: '3' } })
    const began = stage.aheadMs
    await stage.settled(tab)
    expect(stage.aheadMs - began).toBeGreaterThan(3_000_000)
    expect(await tab.outbox.all()).toContainEqual(
      expect.objectContaining({
        endpoint: 'updateAction',
        state: 'attention',
        last_error: { status: 401, message: 'Not for you.' },
      }),
    )
    expect(stage.plain.seen('DELETE', /accounts\/3$/)).toHaveLength(1)
    expect(attempts()).toBeGreaterThanOrEqual(20)
    expect(attempts()).toBeLessThanOrEqual(41)
    expect(refreshes()).toBe(1)
    // Its author can have it sent again, when the server takes it.
    server.isDenied = () => false
    const [operation] = await tab.outbox.all()
    await tab.outbox.retry(operation?.id ?? '')
    await tab.outboxChanged()
    await stage.settled(tab)
    expect(stage.plain.records.tables.actions[0]).toMatchObject({ title: 'Renamed.' })
  },
)

test('a write whose record alone is denied needs attention, while others of its kind are answered', async () => {
  const { stage, tab, retry } = await denying(isChange)
  for (const title of ['One', 'Two', 'Three', 'Four']) {
    await tab.enqueue('updateAction', { body: { id: '2', title } })
    await retry(4)
  }
  await stage.settled(tab)
  expect(stage.plain.records.tables.actions[1]).toMatchObject({ title: 'Four' })
  expect((await tab.outbox.all()).filter(({ state }) => state === 'attention')).toMatchObject([
    { input: { body: { id: '1' } }, last_error: { status: 401 } },
  ])
})

test.for(['', 'keys'])(
  'the write stays pending when the session ends with the last attempt (%s)',
  async (capabilities) => {
    const { stage, tab, server, attempts, denials, retry } = await denying(isPut, capabilities)
    await retry(18)
    expect(await denials()).toMatchObject({ count: 19 })
    const before = attempts()
    server.isDenied = (request) => {
      if (isPut(request)) stage.plain.tokens.revokeAll()
      return isPut(request)
    }
    stage.aheadMs += 200_000
    await waitFor(() => {
      tab.wake()
      expect(tab.session.caller()).toBeUndefined()
    })
    expect(attempts()).toBe(before + 1)
    await waitFor(async () => expect(await denials()).toMatchObject({ count: 20 }))
    expect(await tab.outbox.all()).toMatchObject([{ endpoint: 'updateAction', state: 'pending' }])
  },
)

test('the write stays pending while no other call is answered either', async () => {
  const isCall = ({ url }: NetworkRequest) => url.includes('/api/')
  const { stage, tab, denials, retry } = await denying(isCall, 'keys, versions, partial')
  await retry(25)
  expect(stage.aheadMs).toBeGreaterThan(3_600_000)
  // Only those of the first attempt were accepted before.
  expect(await denials()).toMatchObject({ count: 1 })
  expect(await tab.outbox.all()).toMatchObject([{ state: 'pending', last_error: { status: 401 } }])
})
