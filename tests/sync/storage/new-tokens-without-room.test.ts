// A refresh uses up the token before. On a full device the new ones cannot be stored, and are not lost.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { engineTable } from '../../../contract/engine-table.ts'
import { product } from '../../../src/app/boot/product.ts'
import { replayInBackground } from '../../../src/sync/core/replay/background-replay.ts'
import { readSession } from '../../../src/sync/core/session-store.ts'
import type { NetworkRequest } from '../../../src/sync/core/ports.ts'
import { Cancellation } from '../../../src/sync/core/change-subscription.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'
import { fillTable } from './full-table.ts'

const getUserinfo = product.calls['getUserinfo']!

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

test('the reserve is given up for new tokens', async () => {
  const { stage, tab, stored, hasReserve } = await device()
  let failures = 1
  fillTable('session', () => failures-- > 0)
  await sendsUpdate(stage, tab, 'They signed.')
  expect((await stored())?.access_token).toBe(tokenOf(tab))
  expect(await hasReserve()).toBe(false)
})

test('new tokens are used without room, also for the next refresh, and stored when there is room', async () => {
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

test('other tabs use new tokens, though the stored session has the earlier ones', async () => {
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

test('a page that opens with tokens not yet stored goes on, though the device is still full', async () => {
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

test('a session that is stored meanwhile keeps its own tokens', async () => {
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

const isRefresh = ({ body }: NetworkRequest) => body?.includes('refresh_token') === true

test('a tab that receives new tokens while it is busy with an earlier message uses them at once', async () => {
  const { stage, tab } = await device()
  const other = await stage.tab()
  const { promise: isShown, resolve: show } = Promise.withResolvers<void>()
  onTestFinished(() => show())
  stage.onChanged = () => isShown
  const scope = { user_id: 'ann', organisation_id: 'north' }
  stage.ports().channel.post({ type: 'cache', scope, touched: {} })
  fillTable('session', () => true)
  stage.server.tokens.expireAll()
  await tab.call(getUserinfo, {})
  const before = stage.requests.filter(isRefresh).length
  expect(await other.call(getUserinfo, {})).toMatchObject({ kind: 'answered' })
  expect(stage.requests.filter(isRefresh)).toHaveLength(before)
})

/** Runs the service worker once; resolves to how many operations it left. */
const runWorker = (stage: EngineFixture) =>
  replayInBackground(
    stage.ports(),
    { ...engineTable.token, client: async () => ({ client_id: 'app' }) },
    { last: false, sleep: async () => {}, signal: new Cancellation(), reads: product },
  )

/** A device whose app was closed without a network, with an update that waits. */
async function closedDevice() {
  const { stage, tab, ...rest } = await device()
  const { network } = stage
  stage.network = offline
  await postUpdate(tab, 'They signed.')
  stage.closeTabs()
  stage.network = network
  stage.server.tokens.expireAll()
  return { stage, ...rest }
}

test('the service worker uses up no refresh token where it could not store the next one', async () => {
  const { stage, stored } = await closedDevice()
  const before = await stored()
  let isFull = true
  fillTable('session', () => isFull)
  expect(await runWorker(stage)).toBe(1)
  expect(await runWorker(stage)).toBe(1)
  expect(stage.requests.filter(isRefresh)).toEqual([])
  isFull = false
  expect(await runWorker(stage)).toBe(0)
  expect(stage.storedTexts).toEqual(['They signed.'])
  expect((await stored())?.refresh_token).not.toBe(before?.refresh_token)
})

test('the service worker does not use up again what a page has used up', async () => {
  const { stage, tab, stored } = await device()
  fillTable('session', () => true)
  await sendsUpdate(stage, tab, 'They signed.')
  const { refresh_token = '' } = (await stored()) ?? {}
  const { network } = stage
  stage.network = offline
  await postUpdate(tab, 'They paid.')
  // As localStorage has it.
  const local = tab.session.current()
  stage.closeTabs()
  stage.network = network
  stage.requests.length = 0
  expect(await runWorker(stage)).toBe(1)
  expect(stage.requests.filter(({ body }) => body?.includes(`"${refresh_token}"`))).toEqual([])
  await stage.engine().start(local)
  await waitFor(() => expect(stage.storedTexts).toContain('They paid.'))
})

test('the service worker gives up the reserve for new tokens', async () => {
  const { stage, stored, hasReserve } = await closedDevice()
  const before = await stored()
  let failures = 1
  fillTable('session', () => failures-- > 0)
  await runWorker(stage)
  expect(stage.storedTexts).toEqual(['They signed.'])
  expect((await stored())?.access_token).not.toBe(before?.access_token)
  expect(await hasReserve()).toBe(false)
})
