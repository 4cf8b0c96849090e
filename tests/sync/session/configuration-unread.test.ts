// Calls leave before it is known which server they are for: then they go to the host of the app, or with the
// tokens of one server to another.
import { expect, onTestFinished, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import type { Ports } from '../../../src/sync/core/ports.ts'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'

const OLD = 'https://old.test'
const UNKNOWN = { baseUrl: '', isUnknown: true }

/** A device whose configuration arrives when the test says so. */
class UnconfiguredFixture extends EngineFixture {
  /** Whether a caller waits for the configuration. */
  isAwaited = false
  readonly #arrival = Promise.withResolvers<void>()

  override ports(): Ports {
    const configured = () => {
      this.isAwaited = true
      return this.#arrival.promise
    }
    return { ...super.ports(), configured }
  }

  arrive(baseUrl: string): void {
    this.address = { baseUrl }
    this.#arrival.resolve()
  }

  fail(): void {
    this.#arrival.reject(new Error('No configuration yet'))
  }
}

/** Ann was signed in at `OLD`, has an update that waits, and opens the app without a configuration. */
async function restarted() {
  const stage = new UnconfiguredFixture()
  onTestFinished(() => stage.close())
  stage.address = { baseUrl: OLD }
  stage.supportsEvents = true
  const before = await stage.signedInTab('ann')
  await waitFor(() => expect(before.state.lastSyncedAt.get()).not.toBe(null))
  const { network } = stage
  stage.network = offline
  await postUpdate(before, 'From the train')
  stage.closeTabs()
  stage.requests.length = 0
  stage.network = network
  stage.address = UNKNOWN
  const tab = await stage.tab()
  tab.subscription.setVisible(true)
  tab.wake()
  await waitFor(() => expect(stage.isAwaited).toBe(true))
  return { stage, tab }
}

test('nothing leaves before the configuration is known, and all of it afterwards', async () => {
  const { stage, tab } = await restarted()
  const pull = tab.pullScheduler.pull()
  const read = tab.call(product.sources.changes, { query: { since: 0 } })
  await tab.outboxChanged()
  expect(stage.requests).toEqual([])
  stage.arrive(OLD)
  await Promise.all([pull, read])
  await waitFor(() => expect(stage.storedTexts).toEqual(['From the train']))
  await waitFor(() => expect(stage.streams.size).toBe(1))
})

test('a password leaves only for the server that the configuration names', async () => {
  const stage = new UnconfiguredFixture()
  onTestFinished(() => stage.close())
  stage.address = UNKNOWN
  const tab = await stage.tab()
  const signIn = stage.signIn(tab, 'ann')
  await waitFor(() => expect(stage.isAwaited).toBe(true))
  expect(stage.requests).toEqual([])
  stage.arrive(OLD)
  await signIn
  expect(tab.session.caller()?.user_id).toBe('ann')
})

test('tokens and work of another server are not sent to the one that it names', async () => {
  const { stage, tab } = await restarted()
  const pull = tab.pullScheduler.pull()
  stage.arrive('https://new.test')
  await pull
  await tab.sendNow(true)
  tab.wake()
  await waitFor(() => expect(tab.session.current().session).toBe(null))
  expect(stage.requests.filter(({ headers }) => headers.Authorization)).toEqual([])
  expect(stage.storedTexts).toEqual([])
})

test('while it cannot be read the app is offline and keeps the work', async () => {
  const { stage, tab } = await restarted()
  stage.fail()
  await waitFor(() => expect(tab.state.connection.get()).toBe('offline'))
  expect(stage.requests).toEqual([])
  expect(tab.state.operations.get()).toMatchObject([{ state: 'pending', attempts: 0 }])
  expect(tab.session.caller()?.user_id).toBe('ann')
})
