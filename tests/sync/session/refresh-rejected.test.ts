import { expect, onTestFinished, test } from 'vitest'
import { EngineFixture, postUpdate, offline, waitFor } from '../engine-fixture.ts'

test('signs out and keeps pending operations for their author', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  stage.network = offline
  const { id } = await postUpdate(tab, 'They signed.')
  stage.server.tokens.revokeFamiliesOf('ann')
  stage.network = (_request, answer) => answer()
  tab.wake()
  await waitFor(() =>
    expect(tab.session.current()).toMatchObject({ session: null, left: { forced: true } }),
  )
  expect(await tab.outbox.all()).toMatchObject([{ id, user_id: 'ann', state: 'pending' }])

  await stage.signIn(tab, 'bob')
  await postUpdate(tab, 'Hello from Bob')
  await waitFor(() => expect(stage.storedTexts).toEqual(['Hello from Bob']))
  await tab.signOut('keep')

  await stage.signIn(tab, 'ann')
  await waitFor(() => expect(stage.storedTexts).toEqual(['Hello from Bob', 'They signed.']))
  expect(stage.effects.map(({ user_id }) => user_id)).toEqual(['bob', 'ann'])
})
