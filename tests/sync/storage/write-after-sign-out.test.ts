import { expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { EngineFixture, waitFor } from '../engine-fixture.ts'

const plan = (title: string, version: number) => ({ id: 'north-1', title, version })
const scope = { user_id: 'ann', organisation_id: 'north' }

async function signedInTab(): Promise<{ stage: EngineFixture; tab: Engine }> {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  await waitFor(async () => expect((await tab.replicaOf(scope).cursor()).whole).toBe(true))
  return { stage, tab }
}

const cached = (stage: EngineFixture) =>
  stage.store.transact(['cache'], 'readonly', (tx) => tx.all('cache', []))

test('rejects a write that arrives after sign-out', async () => {
  const { stage, tab } = await signedInTab()
  const cache = tab.replicaOf(scope)
  await tab.signOut('keep')
  expect(
    await cache.apply({ put: { success_plans: [plan('late', 9)] }, deleted: [] }),
  ).toBeUndefined()
  await cache.setValue('late', 'answer')
  expect(await cached(stage)).toEqual([])
})

test('deletes the first user’s replica when another user signs in', async () => {
  const { stage, tab } = await signedInTab()
  await stage.signIn(tab, 'bob')
  const left = await stage.store.transact(['cache'], 'readonly', (tx) => tx.all('cache', ['ann']))
  expect(left).toEqual([])
})

test('does not continue a download from an evicted replica', async () => {
  const { tab } = await signedInTab()
  const cache = tab.replicaOf(scope)
  const from = await cache.cursor()
  const to = { since: from.since + 1, whole: true, synced_at: 1 }
  await tab.signOut('keep')
  await tab.session.signIn({
    access_token: 'a',
    refresh_token: 'r',
    user: { id: 'ann' },
    active_organisation: null,
  })
  expect(await cache.apply({ put: {}, deleted: [] }, { from, to })).toBeUndefined()
  expect((await cache.cursor()).whole).toBe(false)
})

test('replaces records of a former database whatever their versions', async () => {
  const { tab } = await signedInTab()
  const cache = tab.replicaOf(scope)
  await cache.apply({ put: { success_plans: [plan('old', 900_000)] }, deleted: [] })
  await cache.apply({ put: { success_plans: [plan('late', 5)] }, deleted: [] })
  expect(await cache.record('success_plans', 'north-1')).toMatchObject({ title: 'old' })
  await cache.apply({ put: { success_plans: [plan('new', 5)] }, deleted: [], reset: true })
  expect(await cache.record('success_plans', 'north-1')).toMatchObject({ title: 'new' })
})
