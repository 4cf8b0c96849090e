import { expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../src/sync/engine.ts'
import { Stage, until } from './stage.ts'

const plan = (title: string, version: number) => ({ id: 'north-1', title, version })
const scope = { user_id: 'ann', organisation_id: 'north' }

async function annsTab(): Promise<{ stage: Stage; tab: Engine }> {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const tab = await stage.signedIn('ann')
  await until(async () => expect((await tab.replicaOf(scope).cursor()).whole).toBe(true))
  return { stage, tab }
}

const cached = (stage: Stage) =>
  stage.store.transact(['cache'], 'readonly', (tx) => tx.all('cache', []))

test('an answer that arrives after the sign-out does not land on the device', async () => {
  const { stage, tab } = await annsTab()
  const cache = tab.replicaOf(scope)
  await tab.signOut('keep')
  expect(
    await cache.apply({ put: { success_plans: [plan('late', 9)] }, deleted: [] }),
  ).toBeUndefined()
  await cache.setValue('late', 'answer')
  expect(await cached(stage)).toEqual([])
})

test('somebody else’s sign-in in another tab leaves nothing of the first user readable', async () => {
  const { stage, tab } = await annsTab()
  await stage.signIn(tab, 'bob')
  const left = await stage.store.transact(['cache'], 'readonly', (tx) => tx.all('cache', ['ann']))
  expect(left).toEqual([])
})

test('a download goes not on from a copy that was wiped, or what is gone would count as there', async () => {
  const { tab } = await annsTab()
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

test('records of a server’s new database replace those of the old one, whatever their versions', async () => {
  const { tab } = await annsTab()
  const cache = tab.replicaOf(scope)
  await cache.apply({ put: { success_plans: [plan('old', 900_000)] }, deleted: [] })
  await cache.apply({ put: { success_plans: [plan('late', 5)] }, deleted: [] })
  expect(await cache.record('success_plans', 'north-1')).toMatchObject({ title: 'old' })
  await cache.apply({ put: { success_plans: [plan('new', 5)] }, deleted: [], reset: true })
  expect(await cache.record('success_plans', 'north-1')).toMatchObject({ title: 'new' })
})
