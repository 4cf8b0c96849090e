// The updates of a plan are stored separately and must be deleted with it.
import { expect, onTestFinished, test } from 'vitest'
import { EngineFixture } from '../engine-fixture.ts'

const update = (id: string) => ({ id, success_plan_id: 'north-1', body: id, version: 9 })

test('deletes a plan’s updates with it, except those from the same read', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const cache = tab.replicaOf({ user_id: 'ann', organisation_id: 'north' })
  const storedIds = async () => {
    const updates = await stage.store.transact(['cache'], 'readonly', (tx) =>
      tx.get('cache', ['ann', 'north', 'success_plan_updates', 'north-1']),
    )
    return (updates as { id: string }[] | undefined)?.map(({ id }) => id)
  }
  const deleted = [{ type: 'success_plans', id: 'north-1' }]
  await cache.apply({ put: { success_plan_updates: [update('before')] }, deleted: [] })
  expect(await storedIds()).toEqual(['before'])
  const touched = await cache.apply({
    put: { success_plan_updates: [update('late')] },
    deleted,
  })
  expect(await storedIds()).toEqual(['late'])
  expect(touched?.changed).toMatchObject({
    success_plans: { ids: ['north-1'] },
    success_plan_updates: { ids: ['late'] },
  })
  await cache.apply({ put: {}, deleted })
  expect(await storedIds()).toBeUndefined()
})

test('leaves nothing of the updates where the server names them beside their plan', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const cache = tab.replicaOf({ user_id: 'ann', organisation_id: 'north' })
  await cache.apply({ put: { success_plan_updates: [update('one')] }, deleted: [] })
  const deleted = [
    { type: 'success_plan_updates', id: 'one' },
    { type: 'success_plans', id: 'north-1' },
  ]
  await cache.apply({ put: {}, deleted })
  const left = await stage.store.transact(['cache'], 'readonly', (tx) =>
    tx.all('cache', ['ann', 'north', 'success_plan_updates']),
  )
  expect(left).toEqual([])
})
