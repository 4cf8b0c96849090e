import { expect, onTestFinished, test } from 'vitest'
import { Outbox } from '../../../src/sync/core/outbox.ts'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

test('holds a plan until its account is accepted', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const account = await tab.enqueue('createAccount', { body: { id: 'a-1', name: 'invalid name' } })
  const plan = { id: 'p-1', title: 'Onboarding', account_id: 'a-1' }
  await tab.enqueue('createSuccessPlan', { body: plan })
  await postUpdate(tab, 'Kick-off held', 'p-1')
  await postUpdate(tab, 'Elsewhere', 'north-2')
  await waitFor(() => expect(stage.storedTexts).toEqual(['Elsewhere']))
  await waitFor(async () => {
    const states = (await tab.outbox.all()).map(({ state }) => state)
    expect(states.filter((state) => state !== 'acknowledged')).toEqual([
      'attention',
      'pending',
      'pending',
    ])
  })
  expect(stage.requests.filter(({ body }) => body?.includes('p-1'))).toEqual([])

  await tab.outbox.edit(account.id, { id: 'a-1', name: 'Acme' })
  await tab.outboxChanged()
  const all = ['Elsewhere', 'Acme', 'Onboarding', 'Kick-off held']
  await waitFor(() => expect(stage.storedTexts).toEqual(all))
})

test('follows the plan’s present account when the plan is edited', async () => {
  const outbox = new Outbox(new EngineFixture().ports())
  const ann = { user_id: 'ann', organisation_id: 'north' }
  const account = (id: string) =>
    outbox.enqueue({ ...ann, endpoint: 'createAccount', input: { body: { id, name: id } } })
  const first = await account('a-1')
  const body = { id: 'p-1', title: 'Onboarding', account_id: 'a-1' }
  const plan = await outbox.enqueue({ ...ann, endpoint: 'createSuccessPlan', input: { body } })
  expect(plan.depends_on).toEqual([first.id])
  const second = await account('a-2')
  const edited = await outbox.edit(plan.id, { ...body, account_id: 'a-2' })
  expect(edited?.depends_on).toEqual([second.id])
})
