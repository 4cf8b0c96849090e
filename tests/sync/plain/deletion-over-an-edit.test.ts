// A deletion at a server without versions takes away what another person has written meanwhile.
import { expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { offline, waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

const sentAll = (tab: Engine) =>
  waitFor(async () =>
    expect((await tab.outbox.all()).filter(({ state }) => state !== 'acknowledged')).toEqual([]),
  )

/** A tab in which a deletion waits that was made offline. */
async function deleteOffline(stage: PlainFixture, endpoint: string, name: string) {
  const tab = await stage.readTab()
  const seen = (await stored(tab, name)).find(({ id }) => id === '1')
  stage.network = offline
  await tab.enqueue(endpoint, { path: { id: '1' }, body: { title: 'It' } }, seen)
  const deletions = () => stage.plain.seen('DELETE', /./)
  const reconnect = () => {
    stage.network = stage.answer
    tab.wake()
  }
  return { tab, deletions, reconnect }
}

test.for([
  ['deleteAccount', 'accounts', 'notes'],
  ['deleteAction', 'actions', 'title'],
] as const)(
  'a deletion asks about what another person has set: %s',
  async ([call, name, field]) => {
    const stage = new PlainFixture()
    const { tab, deletions, reconnect } = await deleteOffline(stage, call, name)
    const [record] = stage.plain.records.tables[name]
    Object.assign(record ?? {}, { [field]: 'Theirs' })
    reconnect()
    await waitFor(async () =>
      expect((await tab.outbox.all())[0]?.conflict).toMatchObject({
        fields: [field],
        theirs: { [field]: 'Theirs' },
      }),
    )
    expect(deletions()).toEqual([])
    await tab.outbox.conflicts.resolve((await tab.outbox.all())[0] ?? { id: '' }, [field])
    await tab.outboxChanged()
    await sentAll(tab)
    expect(stage.plain.records.tables[name].map(({ id }) => id)).not.toContain('1')
    expect(deletions()).toHaveLength(1)
  },
)

test('a deletion is sent when the record is unchanged, and acknowledged when the record no longer exists', async () => {
  const stage = new PlainFixture()
  const { tab, deletions, reconnect } = await deleteOffline(stage, 'deleteAccount', 'accounts')
  reconnect()
  await sentAll(tab)
  expect(deletions().map(({ status }) => status)).toEqual([204])

  const gone = new PlainFixture()
  const again = await deleteOffline(gone, 'deleteAccount', 'accounts')
  gone.plain.records.tables.accounts.shift()
  again.reconnect()
  await sentAll(again.tab)
  expect(again.deletions().map(({ status }) => status)).toEqual([404])
})

test('a deletion that is gone from the outbox while its record is read is not sent', async () => {
  const stage = new PlainFixture()
  const { tab, deletions, reconnect } = await deleteOffline(stage, 'deleteAccount', 'accounts')
  stage.delayRequest = async ({ url }) => {
    const [deletion] = await tab.outbox.all()
    if (deletion && url.endsWith('/accounts/1')) await stage.remove(deletion.id)
  }
  reconnect()
  await sentAll(tab)
  await waitFor(() => expect(stage.plain.seen('GET', /accounts\/1$/)).toHaveLength(1))
  await waitFor(() => expect(tab.state.sending.get().size).toBe(0))
  expect(deletions()).toEqual([])
  expect(stage.plain.records.tables.accounts.map(({ id }) => id)).toContain('1')
})

test('a deletion is acknowledged when the record no longer exists at a server that begins to count versions', async () => {
  const stage = new PlainFixture()
  const { tab, deletions, reconnect } = await deleteOffline(stage, 'deleteAccount', 'accounts')
  stage.plain.options.capabilities = 'versions'
  stage.plain.records.tables.accounts.shift()
  reconnect()
  await tab.pullScheduler.pullAgain()
  tab.wake()
  await sentAll(tab)
  expect(deletions().map(({ status }) => status)).toEqual([404])
})

test('a deletion that the network delivers twice is acknowledged', async () => {
  const stage = new PlainFixture()
  const { tab, deletions, reconnect } = await deleteOffline(stage, 'deleteAccount', 'accounts')
  reconnect()
  stage.network = (request) => {
    if (request.method === 'DELETE') stage.answer(request)
    return stage.answer(request)
  }
  await sentAll(tab)
  expect(deletions().map(({ status }) => status)).toEqual([204, 404])
})

test('a server that deletes nothing and answers 404 has not deleted the record', async () => {
  const stage = new PlainFixture()
  const { tab, reconnect } = await deleteOffline(stage, 'deleteAccount', 'accounts')
  reconnect()
  stage.network = (request) =>
    request.method === 'DELETE'
      ? { status: 404, headers: {}, text: '{"message":"Not found."}' }
      : stage.answer(request)
  await waitFor(async () =>
    expect((await tab.outbox.all()).map(({ state }) => state)).toEqual(['attention']),
  )
  expect(stage.plain.records.tables.accounts.map(({ id }) => id)).toContain('1')
})

test.for([
  ['a page', { status: 200, headers: { 'content-type': 'text/html' }, text: '<h1>Deleted</h1>' }],
  ['a redirect', { status: 302, headers: {}, text: '' }],
] as const)('a deletion that is answered with %s is sent once', async ([, answer]) => {
  const stage = new PlainFixture()
  const { tab, deletions, reconnect } = await deleteOffline(stage, 'deleteAccount', 'accounts')
  reconnect()
  stage.network = (request) => {
    const real = stage.answer(request)
    return request.method === 'DELETE' ? answer : real
  }
  await stage.settled(tab)
  await sentAll(tab)
  expect(deletions().map(({ status }) => status)).toEqual([204])
})

test('a deletion is acknowledged by its answer, though that says JSON and has none', async () => {
  const stage = new PlainFixture()
  const { tab, reconnect } = await deleteOffline(stage, 'deleteAccount', 'accounts')
  const { length } = stage.requests
  // What the next lists no longer have is looked for one by one: they are answered when the test has ended.
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  onTestFinished(() => end())
  stage.delayRequest = ({ url }) => (url.includes('?') ? ended : Promise.resolve())
  reconnect()
  stage.network = (request) => {
    const real = stage.answer(request)
    return request.method === 'DELETE' ? { status: 200, headers: JSON_TYPE, text: 'OK' } : real
  }
  await sentAll(tab)
  const reads = stage.requests.slice(length).filter(({ url }) => url.endsWith('/accounts/1'))
  expect(reads.map(({ method }) => method)).toEqual(['GET', 'DELETE', 'GET'])
})

test('a deletion is acknowledged at a server that answers 410 for what is gone', async () => {
  const stage = new PlainFixture()
  const { tab, reconnect } = await deleteOffline(stage, 'deleteAccount', 'accounts')
  stage.plain.records.tables.accounts.shift()
  reconnect()
  stage.network = (request) => {
    const real = stage.answer(request)
    return real.status === 404 ? { ...real, status: 410 } : real
  }
  await sentAll(tab)
})

test('a repeated deletion that is answered with 404 has not deleted a record that is still there', async () => {
  const stage = new PlainFixture()
  const { tab, reconnect } = await deleteOffline(stage, 'deleteAccount', 'accounts')
  reconnect()
  let isLost = false
  stage.network = (request) => {
    if (request.method !== 'DELETE') return stage.answer(request)
    if (isLost) return { status: 404, headers: JSON_TYPE, text: '{"message":"Not found."}' }
    isLost = true
    throw new TypeError('Failed to fetch')
  }
  await stage.settled(tab)
  expect((await tab.outbox.all()).map(({ state }) => state)).toEqual(['attention'])
})

/** Answers a deletion with 404, after which the first reading of the record is lost. */
function loseReadingAfter404(stage: PlainFixture, isDeleted: boolean) {
  let toLose = 0
  stage.network = (request) => {
    if (request.method === 'DELETE') {
      toLose += 1
      if (isDeleted) stage.answer(request)
      return { status: 404, headers: JSON_TYPE, text: '{"message":"Not found."}' }
    }
    if (toLose !== 1 || !request.url.endsWith('/accounts/1')) return stage.answer(request)
    toLose += 1
    throw new TypeError('Failed to fetch')
  }
}

test('a deletion that was answered with 404 is made when the record, which could not be read then, is gone', async () => {
  const stage = new PlainFixture()
  const { tab, reconnect } = await deleteOffline(stage, 'deleteAccount', 'accounts')
  reconnect()
  loseReadingAfter404(stage, true)
  await stage.settled(tab)
  await sentAll(tab)
})

test.for(['', 'versions'])(
  'a deletion that was answered with 404 is not made when the record, which could not be read then, is there: %s',
  async (capabilities) => {
    const stage = new PlainFixture({ capabilities })
    const { tab, reconnect } = await deleteOffline(stage, 'deleteAccount', 'accounts')
    reconnect()
    loseReadingAfter404(stage, false)
    await stage.settled(tab)
    expect((await tab.outbox.all()).map(({ state }) => state)).toEqual(['attention'])
  },
)
