// A device that has not downloaded anything shows an empty organisation instead of loading it.
import { expect, onTestFinished, test, vi } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { Replica } from '../../../src/sync/core/replica.ts'
import { SESSION_KEY } from '../../../src/sync/core/session-store.ts'
import { EngineFixture, waitFor } from '../engine-fixture.ts'

/** An empty replica of ann, who is signed in. */
async function replica(): Promise<Replica> {
  const { store } = new EngineFixture()
  await store.transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, { seq: 1, session: { user: { id: 'ann' } } }),
  )
  return new Replica(store, product.partitions, { user_id: 'ann', organisation_id: 'north' })
}
const plan = { id: 'north-1', version: 3, title: 'Pilot' }
const put = { success_plans: [plan] }

test('knows nothing before the first page', async () => {
  const empty = await replica()
  expect(await empty.collection('success_plans')).toBeUndefined()
  expect(await empty.partition('success_plan_updates', 'north-1')).toBeUndefined()
  expect(await empty.record('success_plans', 'north-1')).toBeUndefined()
})

test('knows the records that it has, and not whether others exist', async () => {
  const partial = await replica()
  await partial.apply({ put, deleted: [] })
  expect(await partial.collection('success_plans')).toEqual([plan])
  expect(await partial.collection('accounts')).toBeUndefined()
  expect(await partial.record('success_plans', 'north-1')).toEqual(plan)
  expect(await partial.record('success_plans', 'north-2')).toBeUndefined()
})

test('knows what does not exist once all was downloaded', async () => {
  const whole = await replica()
  const from = await whole.cursor()
  await whole.apply({ put, deleted: [] }, { from, to: { ...from, since: 3, whole: true } })
  expect(await whole.collection('accounts')).toEqual([])
  expect(await whole.partition('success_plan_updates', 'north-1')).toEqual([])
  expect(await whole.record('success_plans', 'north-2')).toBe(null)
})

test('a state that was read before the download ended does not replace the newer one', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const { pullScheduler, puller, state } = await stage.signedInTab('ann')
  await waitFor(() => expect(state.downloadState.get().phase).toBe('idle'))
  await waitFor(() => expect(state.lastSyncedAt.get()).not.toBe(null))
  const older = Promise.withResolvers<Awaited<ReturnType<typeof puller.status>>>()
  vi.spyOn(puller, 'status').mockReturnValueOnce(older.promise)
  const slow = pullScheduler.publishStatus()
  await pullScheduler.publishStatus()
  older.resolve({
    lastSyncedAt: null,
    download: { phase: 'first', share: null },
    report: state.readReport.get(),
  })
  await slow
  expect(state.downloadState.get().phase).toBe('idle')
  expect(state.lastSyncedAt.get()).not.toBe(null)
})

test('a state that was read while a newer reading runs is published', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const { pullScheduler, puller, state } = await stage.signedInTab('ann')
  await waitFor(() => expect(state.downloadState.get().phase).toBe('idle'))
  const status = vi.spyOn(puller, 'status')
  const report = state.readReport.get()
  const download = { phase: 'first', share: 0.5 } as const
  status.mockResolvedValueOnce({ lastSyncedAt: null, download, report })
  status.mockReturnValueOnce(Promise.withResolvers<never>().promise)
  const first = pullScheduler.publishStatus()
  void pullScheduler.publishStatus()
  await first
  expect(state.downloadState.get()).toEqual(download)
})
