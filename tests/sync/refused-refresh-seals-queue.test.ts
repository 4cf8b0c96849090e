import { expect, onTestFinished, test } from 'vitest'
import { Stage, say, unplugged, until } from './stage.ts'

test('a refused refresh signs out, and what waits is sent by nobody but its author', async () => {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const tab = await stage.signedIn('ann')
  stage.network = unplugged
  const { id } = await say(tab, 'They signed.')
  stage.server.tokens.revokeFamiliesOf('ann')
  stage.network = (_request, answer) => answer()
  tab.wake()
  await until(() =>
    expect(tab.session.current()).toMatchObject({ session: null, left: { forced: true } }),
  )
  expect(await tab.outbox.all()).toMatchObject([{ id, user_id: 'ann', state: 'pending' }])

  await stage.signIn(tab, 'bob')
  await say(tab, 'Hello from Bob')
  await until(() => expect(stage.texts).toEqual(['Hello from Bob']))
  await tab.signOut('keep')

  await stage.signIn(tab, 'ann')
  await until(() => expect(stage.texts).toEqual(['Hello from Bob', 'They signed.']))
  expect(stage.effects.map(({ user_id }) => user_id)).toEqual(['bob', 'ann'])
})
