import { expect, onTestFinished, test } from 'vitest'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

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
