// The first full download: data saver defers it until the user requests it, a kill does not restart it,
// and a tab frozen in the middle of it does not block the others.
import { expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import type { Store } from '../../../src/sync/core/ports.ts'
import { EngineFixture, postUpdate, offline, waitFor } from '../engine-fixture.ts'

const CHANGES = /^\/api\/v1\/changes\?since=(\d+)/
const LISTS = /^\/api\/v1\/(success-plans|accounts)\?/

/** An organisation of more than one page: Bob has posted many updates in it. */
async function largeOrganisation(store?: (real: Store) => Store): Promise<EngineFixture> {
  const stage = new EngineFixture(store)
  onTestFinished(() => stage.close())
  const bob = await stage.signedInTab('bob')
  for (let count = 1; count <= 8; count += 1) await postUpdate(bob, `Posted ${count}.`)
  await waitFor(() => expect(stage.storedTexts).toHaveLength(8))
  await waitFor(async () => expect(await bob.outbox.all()).toEqual([]))
  await bob.signOut('keep')
  stage.closeTabs()
  Object.assign(stage.server.settings, { page: 3, announces_pages: true })
  stage.requests.length = 0
  return stage
}

const sinces = (stage: EngineFixture) =>
  stage.requests.flatMap(({ url }) => CHANGES.exec(url)?.[1] ?? []).map(Number)
const progressOf = (tab: Engine) =>
  tab.replicaOf({ user_id: 'ann', organisation_id: 'north' }).cursor()
const isWhole = (tab: Engine) =>
  waitFor(async () => expect((await progressOf(tab)).whole).toBe(true))
const updatesIn = async (tab: Engine) =>
  (await tab.activeReplica()?.partition('success_plan_updates', 'north-1'))?.length

async function withDataSaver(): Promise<{ stage: EngineFixture; tab: Engine }> {
  const stage = await largeOrganisation()
  stage.dataSaver = true
  const tab = await stage.signedInTab('ann')
  await waitFor(async () => expect((await progressOf(tab)).listed).toBeGreaterThan(0))
  await tab.pullScheduler.pullAgain()
  expect(tab.state.downloadState.get().phase).toBe('deferred')
  return { stage, tab }
}

test('the next page is on its way while one is being stored', async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  let isHeld = false
  // A page is not stored before the next one was asked for.
  const stage = await largeOrganisation((real) => ({
    transact: async (tables, mode, work) => {
      if (isHeld && mode !== 'readonly' && tables.includes('cache')) await asked
      return await real.transact(tables, mode, work)
    },
  }))
  stage.network = (request, answer) => {
    const since = CHANGES.exec(request.url)?.[1]
    if (since === '0') isHeld = true
    else if (since !== undefined) ask()
    return answer()
  }
  const tab = await stage.signedInTab('ann')
  await isWhole(tab)
  expect(await updatesIn(tab)).toBe(8)
  // Each page once, and none after the last.
  expect(new Set(sinces(stage)).size).toBe(sinces(stage).length)
})

test('data saver: reads lists first, and the rest when it is opened', async () => {
  const { stage, tab } = await withDataSaver()
  expect((await progressOf(tab)).whole).toBe(false)
  expect(await tab.activeReplica()?.collection('success_plans')).toHaveLength(2)
  expect(await updatesIn(tab)).not.toBe(8)
  const cache = tab.activeReplica()
  if (!cache) throw new Error('No organisation is active.')
  expect(await tab.pullScheduler.pullPartition(cache, 'success_plan_updates', 'north-1')).toBe(true)
  expect(await updatesIn(tab)).toBe(8)
  expect(stage.requests.filter(({ url }) => LISTS.test(url)).length).toBeGreaterThan(0)
})

test('data saver: reads later changes as increments', async () => {
  const { stage, tab } = await withDataSaver()
  const { since, listed } = await progressOf(tab)
  stage.requests.length = 0
  stage.server.editPlan('north', 'north-1', { title: 'Renamed by Mia' }, Date.now())
  await tab.pullScheduler.pullAgain()
  expect((await tab.activeReplica()?.record('success_plans', 'north-1'))?.title).toBe(
    'Renamed by Mia',
  )
  expect(sinces(stage)).toEqual([listed])
  expect(stage.requests.filter(({ url }) => LISTS.test(url))).toEqual([])
  // The cursor of the full download has not moved.
  expect(await progressOf(tab)).toMatchObject({ since, whole: false })
})

test('data saver: a list that was refused is read again, not only its later changes', async () => {
  const stage = await largeOrganisation()
  stage.dataSaver = true
  stage.network = (request, answer) =>
    /\/accounts\?/.test(request.url)
      ? { status: 401, headers: {}, text: '{"message":"Unauthenticated."}' }
      : answer()
  const tab = await stage.signedInTab('ann')
  await waitFor(async () => expect((await progressOf(tab)).lists).toContain('success_plans'))
  stage.network = (_request, answer) => answer()
  stage.requests.length = 0
  await tab.pullScheduler.pullAgain()
  expect(stage.requests.filter(({ url }) => /\/accounts\?/.test(url))).toHaveLength(1)
  expect((await progressOf(tab)).listed).toBeGreaterThan(0)
})

test('data saver: sends operations and prunes them once pulled', async () => {
  const { stage, tab } = await withDataSaver()
  await postUpdate(tab, 'They signed.')
  await waitFor(() => expect(stage.storedTexts).toContain('They signed.'))
  await waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
})

test('data saver: everything is on the device once the requested download has ended', async () => {
  const { tab } = await withDataSaver()
  await tab.pullScheduler.pullEverything()
  expect((await progressOf(tab)).whole).toBe(true)
  expect(await updatesIn(tab)).toBe(8)
})

test('data saver: continues a requested download after a restart', async () => {
  const { stage, tab } = await withDataSaver()
  const shares: (number | null)[] = []
  tab.state.downloadState.subscribe(() => shares.push(tab.state.downloadState.get().share))
  let pages = 0
  stage.network = (request, answer) => {
    if (CHANGES.test(request.url)) pages += 1
    return pages > 1 ? offline(request, answer) : answer()
  }
  await tab.pullScheduler.pullEverything()
  expect(await progressOf(tab)).toMatchObject({ whole: false })
  stage.closeTabs()
  stage.network = (_request, answer) => answer()
  const { since } = await progressOf(tab)
  stage.requests.length = 0
  const next = await stage.tab()
  await isWhole(next)
  await waitFor(() =>
    expect(next.state.downloadState.get()).toEqual({ phase: 'idle', share: null }),
  )
  expect(sinces(stage)[0]).toBe(since)
  expect(await updatesIn(next)).toBe(8)
})

test('continues the download when data saver is turned off', async () => {
  const { stage, tab } = await withDataSaver()
  stage.dataSaver = false
  tab.wake()
  await isWhole(tab)
  expect(await updatesIn(tab)).toBe(8)
})

test('data saver: an organisation of one page is complete', async () => {
  const stage = await largeOrganisation()
  stage.server.settings.page = 100
  stage.dataSaver = true
  const tab = await stage.signedInTab('ann')
  await isWhole(tab)
  expect(stage.requests.filter(({ url }) => LISTS.test(url))).toEqual([])
})

test('reports the progress of the first download', async () => {
  const stage = await largeOrganisation()
  const tab = await stage.tab()
  const phases: string[] = []
  tab.state.downloadState.subscribe(() => {
    const { phase, share } = tab.state.downloadState.get()
    phases.push(share !== null && share > 0 && share <= 1 ? `${phase} with a share` : phase)
  })
  await stage.signIn(tab, 'ann')
  await isWhole(tab)
  await waitFor(() => expect(phases.at(-1)).toBe('idle'))
  expect(phases).toContain('first with a share')
})

test('continues an interrupted download at its cursor', async () => {
  const stage = await largeOrganisation()
  let pages = 0
  stage.network = (request, answer) => {
    if (CHANGES.test(request.url)) pages += 1
    return pages > 2 ? offline(request, answer) : answer()
  }
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(pages).toBeGreaterThan(2))
  // To the end of the one that is under way: the second page may be about to be stored.
  await tab.pullScheduler.pull()
  stage.closeTabs()
  stage.network = (_request, answer) => answer()
  const { since, whole } = await progressOf(tab)
  expect({ whole, begun: since > 0 }).toEqual({ whole: false, begun: true })
  stage.requests.length = 0
  const next = await stage.tab()
  await isWhole(next)
  expect(sinces(stage)[0]).toBe(since)
  expect(await updatesIn(next)).toBe(8)
})

test('downloads again when the cursor has expired, and sends pending operations', async () => {
  const stage = await largeOrganisation()
  const tab = await stage.signedInTab('ann')
  await isWhole(tab)
  stage.network = offline
  await postUpdate(tab, 'Posted in the meantime.')
  stage.closeTabs()
  stage.server.deletePlan('north', 'north-2')
  stage.server.moveToNewDatabase()
  stage.network = (_request, answer) => answer()
  const next = await stage.tab()
  await waitFor(async () =>
    expect(await next.activeReplica()?.record('success_plans', 'north-2')).toBe(null),
  )
  await waitFor(() => expect(stage.storedTexts).toContain('Posted in the meantime.'))
  await waitFor(async () => expect(await next.outbox.all()).toEqual([]))
  expect(await updatesIn(next)).toBe(9)
})

/** A tab frozen after it requested its second page; thawing delivers the old answer. */
async function frozenDuringDownload() {
  const stage = await largeOrganisation()
  stage.lockTimeoutMs = 20
  const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
  let pages = 0
  stage.delayRequest = async ({ url }) => {
    if (!CHANGES.test(url)) return
    pages += 1
    if (pages === 2) await thawed
  }
  const frozen = await stage.signedInTab('ann')
  await waitFor(() => expect(pages).toBeGreaterThanOrEqual(2))
  return { stage, frozen, thaw }
}

test('lets another tab take over the download of a frozen tab', async () => {
  const { stage, thaw } = await frozenDuringDownload()
  const other = await stage.tab()
  await isWhole(other)
  expect(await updatesIn(other)).toBe(8)
  thaw()
})

test('discards a stale page that arrives after the takeover', async () => {
  const { stage, frozen, thaw } = await frozenDuringDownload()
  const other = await stage.tab()
  await isWhole(other)
  stage.server.deletePlan('north', 'north-2')
  await other.pullScheduler.pullAgain()
  expect(await other.activeReplica()?.record('success_plans', 'north-2')).toBe(null)
  const before = await progressOf(other)
  stage.network = offline
  thaw()
  await frozen.pullScheduler.pull()
  expect(await progressOf(other)).toEqual(before)
  expect(await other.activeReplica()?.record('success_plans', 'north-2')).toBe(null)
})

test('leaves a download that makes progress to its tab', async () => {
  const stage = await largeOrganisation()
  // The pages together take longer, one of them much less.
  stage.lockTimeoutMs = 6_000
  stage.server.settings.page = 1
  stage.delayRequest = async ({ url }) => {
    if (CHANGES.test(url)) await new Promise((resolve) => setTimeout(resolve, 1_500))
  }
  const tab = await stage.signedInTab('ann')
  const other = await stage.tab()
  const began = Date.now()
  await isWhole(tab)
  await isWhole(other)
  expect(Date.now() - began).toBeGreaterThan(stage.lockTimeoutMs)
  const last = sinces(stage).at(-1)
  // At the end both may look for more.
  const pages = sinces(stage).filter((since) => since !== last)
  expect(new Set(pages).size).toBe(pages.length)
})

test('lists that could not be read are not named once all changes are read', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const headers = { 'content-type': 'application/json' }
  const error = { status: 500, headers, text: '{"message":"Server error."}' }
  stage.network = ({ url }, answer) => (CHANGES.test(url) || LISTS.test(url) ? error : answer())
  const tab = await stage.signedInTab('ann')
  const refused = async () => {
    await tab.pullScheduler.pull()
    return Object.keys(tab.state.readReport.get().refused)
  }
  await waitFor(async () => expect(await refused()).toContain('success_plans'))
  stage.network = (_request, answer) => answer()
  await waitFor(async () => expect(await refused()).toEqual([]))
  expect(tab.puller.usesLists).toBe(false)
})
