import { expect, onTestFinished, test } from 'vitest'
import { Stage, say, until } from './stage.ts'

test('a plan waits for the account it is for, and goes out once the account is put right', async () => {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const tab = await stage.signedIn('ann')
  const account = await tab.queue('createAccount', { body: { id: 'a-1', name: 'invalid name' } })
  const plan = { id: 'p-1', title: 'Onboarding', account_id: 'a-1' }
  await tab.queue('createSuccessPlan', { body: plan })
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
