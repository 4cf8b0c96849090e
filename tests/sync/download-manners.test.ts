// The first whole download: where the network is dear it waits to be asked for, a kill costs it
// nothing, and a tab that froze in the middle of it holds up nobody.
import { expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../src/sync/engine.ts'
import { Stage, say, unplugged, until } from './stage.ts'

const CHANGES = /^\/api\/v1\/changes\?since=(\d+)/
const LISTS = /^\/api\/v1\/(success-plans|accounts)\?/

/** An organisation that does not come in one page: Bob has said much in it. */
async function largeOrganisation(): Promise<Stage> {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const bob = await stage.signedIn('bob')
  for (let said = 1; said <= 8; said += 1) await say(bob, `Said ${said}.`)
  await until(() => expect(stage.texts).toHaveLength(8))
  await until(async () => expect(await bob.outbox.all()).toEqual([]))
  await bob.signOut('keep')
  stage.closeTabs()
  stage.server.settings.page = 3
  stage.requests.length = 0
  return stage
}

const sinces = (stage: Stage) =>
  stage.requests.flatMap(({ url }) => CHANGES.exec(url)?.[1] ?? []).map(Number)
const progressOf = (tab: Engine) =>
  tab.replicaOf({ user_id: 'ann', organisation_id: 'north' }).cursor()
const isWhole = (tab: Engine) => until(async () => expect((await progressOf(tab)).whole).toBe(true))
const updatesIn = async (tab: Engine) =>
  (await tab.activeReplica()?.partition('success_plan_updates', 'north-1'))?.length

async function sparing(): Promise<{ stage: Stage; tab: Engine }> {
  const stage = await largeOrganisation()
  stage.sparing = true
  const tab = await stage.signedIn('ann')
  await until(async () => expect((await progressOf(tab)).listed).toBeGreaterThan(0))
  await tab.pullScheduler.pullAgain()
  expect(tab.pullScheduler.downloadState.get().phase).toBe('deferred')
  return { stage, tab }
}

test('data saver: the lists are here, the rest is not, and what is opened is read then', async () => {
  const { stage, tab } = await sparing()
  expect((await progressOf(tab)).whole).toBe(false)
  expect(await tab.activeReplica()?.collection('success_plans')).toHaveLength(2)
  expect(await updatesIn(tab)).not.toBe(8)
  const cache = tab.activeReplica()
  if (!cache) throw new Error('No organisation is active.')
  expect(await tab.pullScheduler.pullPartition(cache, 'success_plan_updates', 'north-1')).toBe(true)
  expect(await updatesIn(tab)).toBe(8)
  expect(stage.requests.filter(({ url }) => LISTS.test(url)).length).toBeGreaterThan(0)
})

test('data saver: what others do comes as an increment, and the lists are read no second time', async () => {
  const { stage, tab } = await sparing()
  const { since, listed } = await progressOf(tab)
  stage.requests.length = 0
  stage.server.editPlan('north', 'north-1', { title: 'Renamed by Mia' })
  await tab.pullScheduler.pullAgain()
  expect((await tab.activeReplica()?.record('success_plans', 'north-1'))?.title).toBe(
    'Renamed by Mia',
  )
  expect(sinces(stage)).toEqual([listed])
  expect(stage.requests.filter(({ url }) => LISTS.test(url))).toEqual([])
  // Where the whole download would go on has not moved.
  expect(await progressOf(tab)).toMatchObject({ since, whole: false })
})

test('data saver: what is said is sent, and leaves the queue once its copy is here', async () => {
  const { stage, tab } = await sparing()
  await say(tab, 'They signed.')
  await until(() => expect(stage.texts).toContain('They signed.'))
  await until(async () => expect(await tab.outbox.all()).toEqual([]))
})

test('data saver: asked for, all is read, and a restart goes on with it', async () => {
  const { stage, tab } = await sparing()
  const shares: (number | null)[] = []
  tab.pullScheduler.downloadState.subscribe(() =>
    shares.push(tab.pullScheduler.downloadState.get().share),
  )
  let pages = 0
  stage.network = (request, answer) => {
    if (CHANGES.test(request.url)) pages += 1
    return pages > 1 ? unplugged(request, answer) : answer()
  }
  await tab.pullScheduler.pullEverything()
  expect(await progressOf(tab)).toMatchObject({ whole: false })
  stage.closeTabs()
  stage.network = (_request, answer) => answer()
  const { since } = await progressOf(tab)
  stage.requests.length = 0
  const next = await stage.tab()
  await isWhole(next)
  await until(() =>
    expect(next.pullScheduler.downloadState.get()).toEqual({ phase: 'idle', share: null }),
  )
  expect(sinces(stage)[0]).toBe(since)
  expect(await updatesIn(next)).toBe(8)
})

test('data saver is switched off: the whole download goes on by itself', async () => {
  const { stage, tab } = await sparing()
  stage.sparing = false
  tab.wake()
  await isWhole(tab)
  expect(await updatesIn(tab)).toBe(8)
})

test('data saver and an organisation that comes in one page: it is whole', async () => {
  const stage = await largeOrganisation()
  stage.server.settings.page = 100
  stage.sparing = true
  const tab = await stage.signedIn('ann')
  await isWhole(tab)
  expect(stage.requests.filter(({ url }) => LISTS.test(url))).toEqual([])
})

test('a first download says how far it is, and then no more', async () => {
  const stage = await largeOrganisation()
  const tab = await stage.tab()
  const told: string[] = []
  tab.pullScheduler.downloadState.subscribe(() => {
    const { phase, share } = tab.pullScheduler.downloadState.get()
    told.push(share !== null && share > 0 && share <= 1 ? `${phase} with a share` : phase)
  })
  await stage.signIn(tab, 'ann')
  await isWhole(tab)
  await until(() => expect(told.at(-1)).toBe('idle'))
  expect(told).toContain('first with a share')
})

test('killed in the middle of the first download: it goes on where it was', async () => {
  const stage = await largeOrganisation()
  let pages = 0
  stage.network = (request, answer) => {
    if (CHANGES.test(request.url)) pages += 1
    return pages > 2 ? unplugged(request, answer) : answer()
  }
  const tab = await stage.signedIn('ann')
  await until(() => expect(pages).toBeGreaterThan(2))
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

test('the server has forgotten so old a version: all is read anew, and what waits is sent', async () => {
  const stage = await largeOrganisation()
  const tab = await stage.signedIn('ann')
  await isWhole(tab)
  stage.network = unplugged
  await say(tab, 'Said meanwhile.')
  stage.closeTabs()
  stage.server.deletePlan('north', 'north-2')
  stage.server.move()
  stage.network = (_request, answer) => answer()
  const next = await stage.tab()
  await until(async () =>
    expect(await next.activeReplica()?.record('success_plans', 'north-2')).toBe(null),
  )
  await until(() => expect(stage.texts).toContain('Said meanwhile.'))
  await until(async () => expect(await next.outbox.all()).toEqual([]))
  expect(await updatesIn(next)).toBe(9)
})

/** A tab that froze after it had asked for its second page; thaw lets the old answer arrive. */
async function frozenInTheMiddle() {
  const stage = await largeOrganisation()
  stage.patience = 20
  const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
  let pages = 0
  stage.travel = async ({ url }) => {
    if (!CHANGES.test(url)) return
    pages += 1
    if (pages === 2) await thawed
  }
  const frozen = await stage.signedIn('ann')
  await until(() => expect(pages).toBe(2))
  return { stage, frozen, thaw }
}

test('a tab froze in the middle of the download: another takes it over', async () => {
  const { stage, thaw } = await frozenInTheMiddle()
  const other = await stage.tab()
  await isWhole(other)
  expect(await updatesIn(other)).toBe(8)
  thaw()
})

test('it thaws with an old answer: what is gone by now does not come back', async () => {
  const { stage, frozen, thaw } = await frozenInTheMiddle()
  const other = await stage.tab()
  await isWhole(other)
  stage.server.deletePlan('north', 'north-2')
  await other.pullScheduler.pullAgain()
  expect(await other.activeReplica()?.record('success_plans', 'north-2')).toBe(null)
  const before = await progressOf(other)
  stage.network = unplugged
  thaw()
  await frozen.pull()
  expect(await progressOf(other)).toEqual(before)
  expect(await other.activeReplica()?.record('success_plans', 'north-2')).toBe(null)
})

test('a slow tab that gets on with it is left to it', async () => {
  const stage = await largeOrganisation()
  stage.patience = 60
  let under_way = 0
  let most = 0
  stage.travel = async ({ url }) => {
    if (!CHANGES.test(url)) return
    under_way += 1
    most = Math.max(most, under_way)
    await new Promise((resolve) => setTimeout(resolve, 40))
    under_way -= 1
  }
  const tab = await stage.signedIn('ann')
  const other = await stage.tab()
  await isWhole(tab)
  await isWhole(other)
  expect(most).toBe(1)
})
