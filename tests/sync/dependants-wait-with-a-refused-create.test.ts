import { expect, onTestFinished, test } from 'vitest'
import { Outbox } from '../../src/sync/outbox.ts'
import { Stage, say, until } from './stage.ts'

test('a plan waits for the account it is for, and goes out once the account is put right', async () => {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const tab = await stage.signedIn('ann')
  const account = await tab.enqueue('createAccount', { body: { id: 'a-1', name: 'invalid name' } })
  const plan = { id: 'p-1', title: 'Onboarding', account_id: 'a-1' }
  await tab.enqueue('createSuccessPlan', { body: plan })
  await say(tab, 'Kick-off held', 'p-1')
  await say(tab, 'Elsewhere', 'north-2')
  await until(() => expect(stage.texts).toEqual(['Elsewhere']))
  await until(async () => {
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
  await until(() => expect(stage.texts).toEqual(all))
})

test('a plan that is for another account by now waits for that one, and no more for the first', async () => {
  const outbox = new Outbox(new Stage().ports())
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
