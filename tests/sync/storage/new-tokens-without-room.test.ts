// A refresh uses up the token before. On a full device the new ones cannot be stored, and are not lost.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { engineTable } from '../../../contract/engine-table.ts'
import { product } from '../../../src/app/boot/product.ts'
import { replayInBackground } from '../../../src/sync/core/replay/background-replay.ts'
import { readSession } from '../../../src/sync/core/session-store.ts'
import { Cancellation } from '../../../src/sync/core/change-subscription.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'
import { fillTable } from './full-table.ts'

afterEach(() => void vi.restoreAllMocks())

/** A device on which Ann has signed in, with a reserve. */
async function device() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBeNull())
  await tab.room.fillReserve()
  const stored = async () =>
    (await stage.store.transact(['session'], 'readonly', readSession)).session
  const hasReserve = async () =>
    (await stage.store.transact(['cache'], 'readonly', (tx) =>
      tx.get('cache', '!reserve-bytes'),
    )) !== undefined
  return { stage, tab, stored, hasReserve }
}

const tokenOf = (tab: Engine) => tab.session.current().session?.access_token
const sendsUpdate = async (stage: EngineFixture, tab: Engine, text: string) => {
  stage.server.tokens.expireAll()
  await postUpdate(tab, text)
  await waitFor(() => expect(stage.storedTexts).toContain(text))
}

test('the reserve is given up for them', async () => {
  const { stage, tab, stored, hasReserve } = await device()
  let failures = 1
  fillTable('session', () => failures-- > 0)
  await sendsUpdate(stage, tab, 'They signed.')
  expect((await stored())?.access_token).toBe(tokenOf(tab))
  expect(await hasReserve()).toBe(false)
})

test('they are used without room, also for the next refresh, and stored when there is room', async () => {
  const { stage, tab, stored } = await device()
  const before = await stored()
  let isFull = true
  fillTable('session', () => isFull)
  await sendsUpdate(stage, tab, 'They signed.')
  await sendsUpdate(stage, tab, 'They paid.')
  expect(await stored()).toEqual(before)
  isFull = false
  tab.wake()
  await waitFor(async () => expect((await stored())?.access_token).toBe(tokenOf(tab)))
  stage.closeTabs()
  await sendsUpdate(stage, await stage.tab(), 'They stay.')
})

test('other tabs use them, though the session that is stored has those before', async () => {
  const { stage, tab } = await device()
  const other = await stage.tab()
  fillTable('session', () => true)
  await sendsUpdate(stage, tab, 'They signed.')
  await waitFor(() => expect(tokenOf(other)).toBe(tokenOf(tab)))
  const stale = tokenOf(other) ?? ''
  stage.server.tokens.expireAll()
  const results = await Promise.all(
    [tab, other].map((one) =>
      one.session.refresh({ user_id: 'ann', access_token: stale, isJson: true }),
    ),
  )
  expect(results.toSorted()).toEqual(['refreshed', 'renewed'])
  expect(tokenOf(other)).toBe(tokenOf(tab))
})

test('a page that opens with them goes on, though the device is still full', async () => {
  const { stage, tab } = await device()
  fillTable('session', () => true)
  await sendsUpdate(stage, tab, 'They signed.')
  // As localStorage has it.
  const local = tab.session.current()
  stage.closeTabs()
  const next = stage.engine()
  await next.start(local)
  expect(tokenOf(next)).toBe(local.session?.access_token)
  await sendsUpdate(stage, next, 'They stay.')
})

test('a session that is stored meanwhile keeps its own', async () => {
  const { stage, tab, stored } = await device()
  let isFull = true
  fillTable('session', () => isFull)
  await sendsUpdate(stage, tab, 'They signed.')
  isFull = false
  await tab.signOut('keep')
  await stage.signIn(tab, 'ann')
  const { access_token } = (await stored()) ?? {}
  tab.wake()
  await sendsUpdate(stage, tab, 'Signed in again.')
  expect(access_token).toBeDefined()
  expect(await stored()).toMatchObject({ user: { id: 'ann' } })
})

test('the service worker gives up the reserve for them', async () => {
  const { stage, tab, stored, hasReserve } = await device()
  const before = await stored()
  const { network } = stage
  stage.network = offline
  await postUpdate(tab, 'They signed.')
  stage.closeTabs()
  stage.network = network
  stage.server.tokens.expireAll()
  let failures = 1
  fillTable('session', () => failures-- > 0)
  await replayInBackground(
    stage.ports(),
    { ...engineTable.token, client: async () => ({ client_id: 'app' }) },
    { last: false, sleep: async () => {}, signal: new Cancellation(), reads: product },
  )
  expect(stage.storedTexts).toEqual(['They signed.'])
  expect((await stored())?.access_token).not.toBe(before?.access_token)
  expect(await hasReserve()).toBe(false)
})
