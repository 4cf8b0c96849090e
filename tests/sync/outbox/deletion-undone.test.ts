// A deletion waits like any step that can be undone, then is sent once, after all that was done before it.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { EngineFixture, moveClock, offline, postUpdate, waitFor } from '../engine-fixture.ts'

const DELAY_MS = 60_000
const PLAN = '/api/v1/success-plans/north-1'

afterEach(() => void vi.restoreAllMocks())

async function signedIn() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const online = stage.network
  const deletions = () => stage.requests.filter(({ method }) => method === 'DELETE')
  const isStored = () => stage.server.tenants.get('north')?.records.success_plans.has('north-1')
  return { stage, tab, online, deletions, isStored }
}

const deletePlan = (tab: Engine) =>
  tab.enqueue(
    'deleteSuccessPlan',
    { path: { id: 'north-1' }, body: { title: 'A plan' } },
    undefined,
    undefined,
    DELAY_MS,
  )

const waiting = async (tab: Engine) =>
  (await tab.outbox.all()).filter(({ state }) => state !== 'acknowledged')

test('sends a deletion once, after its delay, without what is only for the screens', async () => {
  const { tab, deletions, isStored } = await signedIn()
  await deletePlan(tab)
  await postUpdate(tab, 'Another plan.', 'north-2')
  await waitFor(async () => expect(await waiting(tab)).toHaveLength(1))
  expect(isStored()).toBe(true)
  moveClock(DELAY_MS)
  await waitFor(async () => expect(await waiting(tab)).toEqual([]))
  expect(isStored()).toBe(false)
  expect(deletions().map(({ url, body }) => ({ url, body }))).toEqual([
    { url: PLAN, body: undefined },
  ])
  await waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
  expect(await tab.activeReplica()?.record('success_plans', 'north-1')).toBeFalsy()
})

test('sends nothing after an undo, also when the device was offline for longer than the delay', async () => {
  const { stage, tab, online, deletions, isStored } = await signedIn()
  stage.network = offline
  const deletion = await deletePlan(tab)
  moveClock(10 * DELAY_MS)
  expect(await tab.outbox.discard(deletion.id, true)).toMatchObject([{ id: deletion.id }])
  await tab.outboxChanged()
  stage.network = online
  tab.wake()
  await postUpdate(tab, 'It goes on.')
  await waitFor(() => expect(stage.storedTexts).toEqual(['It goes on.']))
  expect(deletions()).toEqual([])
  expect(isStored()).toBe(true)
})

test('takes a record that is gone for deleted', async () => {
  const { stage, tab, deletions } = await signedIn()
  await deletePlan(tab)
  stage.server.deletePlan('north', 'north-1')
  moveClock(DELAY_MS)
  await waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
  expect(deletions()).toHaveLength(1)
})

test('keeps a deletion whose answer was lost, and repeats it under its key', async () => {
  const { stage, tab, online, deletions } = await signedIn()
  await deletePlan(tab)
  let isLost = false
  stage.network = (request, answer) => {
    const answered = online(request, answer)
    if (request.method !== 'DELETE' || isLost) return answered
    isLost = true
    throw new Error('The answer is lost.')
  }
  moveClock(DELAY_MS)
  await waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
  const keys = deletions().map(({ headers }) => headers['Idempotency-Key'])
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

test('follows all that its author did before, also on other records', async () => {
  const { stage, tab, online } = await signedIn()
  stage.network = offline
  await postUpdate(tab, 'First.', 'north-2')
  await postUpdate(tab, 'Second.')
  await deletePlan(tab)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  stage.delayRequest = ({ url }) => (url.includes('north-2') ? held : Promise.resolve())
  stage.network = online
  moveClock(DELAY_MS)
  tab.wake()
  await waitFor(async () =>
    expect((await waiting(tab)).map(({ endpoint }) => endpoint)).toEqual([
      'postPlanUpdate',
      'deleteSuccessPlan',
    ]),
  )
  expect((await waiting(tab)).map(({ attempts }) => attempts > 0)).toEqual([true, false])
  release()
  await waitFor(async () => expect(await waiting(tab)).toEqual([]))
})
