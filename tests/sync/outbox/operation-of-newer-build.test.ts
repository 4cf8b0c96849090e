// A tab of the build before an app update meets operations of calls that it does not know.
import { expect, onTestFinished, test } from 'vitest'
import { upcast } from '../../../src/sync/core/operation.ts'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'

test('neither sends nor drops operations of a newer build', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const newer = { id: 'newer', v: 2, seq: 1, user_id: 'ann', words: 'of a newer kind' }
  await stage.store.transact(['operations'], 'strict', async (tx) => {
    tx.put('operations', 'newer', newer)
  })
  const tab = await stage.signedInTab('ann')
  await postUpdate(tab, 'Of this kind')
  await waitFor(() => expect(stage.storedTexts).toEqual(['Of this kind']))
  await waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
  await tab.signOut('discard')
  const stored = await stage.store.transact(['operations'], 'readonly', (tx) =>
    tx.get('operations', 'newer'),
  )
  expect(stored).toEqual(newer)
})

test('what depends on an operation of a newer build does so after an edit and after an undo', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  stage.network = offline
  const plan = await tab.enqueue('createSuccessPlan', { body: { id: 'p-1', title: 'Onboarding' } })
  const update = await postUpdate(tab, 'Kick-off held', 'p-1')
  await stage.store.transact(['operations'], 'strict', async (tx) => {
    const stored = upcast(await tx.get('operations', plan.id))
    // Not as if it had left: an attempt that failed keeps it from being discarded.
    const made = { ...stored, attempts: 0, endpoint: 'startPlan', depends_on: ['earlier'] }
    tx.put('operations', plan.id, made)
  })
  const edited = await tab.outbox.edit(update.id, { id: 'u-1', body: 'Kick-off held today' })
  expect(edited?.depends_on).toEqual([plan.id])
  const discarded = await tab.outbox.discard(plan.id)
  expect(discarded).toHaveLength(2)
  await tab.outbox.restore(discarded)
  expect((await tab.outbox.all()).map(({ id, depends_on }) => ({ id, depends_on }))).toEqual([
    { id: plan.id, depends_on: ['earlier'] },
    { id: edited?.id, depends_on: [plan.id] },
  ])
})
