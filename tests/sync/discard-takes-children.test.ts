import { expect, onTestFinished, test } from 'vitest'
import { Stage, say, unplugged } from './stage.ts'

test('an account taken back takes its plan and the plan’s updates along, and nothing else', async () => {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const tab = await stage.signedIn('ann')
  stage.network = unplugged
  const account = await tab.enqueue('createAccount', { body: { id: 'a-1', name: 'Acme' } })
  const body = { id: 'p-1', title: 'Onboarding', account_id: 'a-1' }
  const plan = await tab.enqueue('createSuccessPlan', { body })
  const update = await say(tab, 'Kick-off held', 'p-1')
  const other = await say(tab, 'Elsewhere', 'north-2')

  const gone = await tab.outbox.discard(account.id)
  expect(gone.map(({ id }) => id)).toEqual([account.id, plan.id, update.id])
  expect((await tab.outbox.all()).map(({ id }) => id)).toEqual([other.id])
})
