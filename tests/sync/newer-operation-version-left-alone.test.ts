import { expect, onTestFinished, test } from 'vitest'
import { Stage, say, until } from './stage.ts'

test('what a newer build queued is neither sent nor dropped by this one', async () => {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const newer = { id: 'newer', v: 2, seq: 1, user_id: 'ann', words: 'of a newer kind' }
  await stage.store.transact(['operations'], 'strict', async (tx) => {
    tx.put('operations', 'newer', newer)
  })
  const tab = await stage.signedIn('ann')
  await say(tab, 'Of this kind')
  await until(() => expect(stage.texts).toEqual(['Of this kind']))
  await until(async () => expect(await tab.outbox.all()).toEqual([]))
  await tab.signOut('discard')
  const kept = await stage.store.transact(['operations'], 'readonly', (tx) =>
    tx.get('operations', 'newer'),
  )
  expect(kept).toEqual(newer)
})
