import { expect, onTestFinished, test } from 'vitest'
import { EngineFixture, postUpdate, offline, waitFor } from '../engine-fixture.ts'

test('discards an account together with its plan and updates', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  stage.network = offline
  const other = await postUpdate(tab, 'Elsewhere', 'north-2')
  await waitFor(() => expect(tab.state.connection.get()).toBe('offline'))
  const account = await tab.enqueue('createAccount', { body: { id: 'a-1', name: 'Acme' } })
  const body = { id: 'p-1', title: 'Onboarding', account_id: 'a-1' }
  const plan = await tab.enqueue('createSuccessPlan', { body })
  const update = await postUpdate(tab, 'Kick-off held', 'p-1')

  const discarded = await tab.outbox.discard(account.id)
  expect(discarded.map(({ id }) => id)).toEqual([account.id, plan.id, update.id])
  expect((await tab.outbox.all()).map(({ id }) => id)).toEqual([other.id])
})

test('what is restored depends on its parent as that is now', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const { outbox } = await stage.signedInTab('ann')
  const author = { user_id: 'ann', organisation_id: 'north' }
  const body = { id: 'p-1', title: 'Onboarding', account_id: null }
  const plan = await outbox.enqueue({ endpoint: 'createSuccessPlan', input: { body }, ...author })
  const update = await outbox.enqueue({
    endpoint: 'postPlanUpdate',
    input: { path: { id: 'p-1' }, body: { id: 'u-1', body: 'Kick-off held' } },
    ...author,
  })
  const alone = await outbox.discard(update.id)
  // Its key is new.
  const edited = await outbox.edit(plan.id, { ...body, title: 'Rollout' })
  await outbox.restore(alone)
  const stored = async () => (await outbox.all()).map(({ id, depends_on }) => ({ id, depends_on }))
  const both = [
    { id: edited?.id, depends_on: [] },
    { id: update.id, depends_on: [edited?.id] },
  ]
  expect(await stored()).toEqual(both)
  await outbox.restore(await outbox.discard(edited?.id ?? ''))
  expect(await stored()).toEqual(both)
})
