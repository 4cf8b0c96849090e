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
