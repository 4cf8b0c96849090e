import { expect, onTestFinished, test } from 'vitest'
import { Stage, say, until } from './stage.ts'

test('a refused update keeps its text and the reason, and what was said after it is sent', async () => {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const tab = await stage.signedIn('ann')
  const refused = await say(tab, 'invalid words')
  await say(tab, 'Good words')
  await until(() => expect(stage.texts).toEqual(['Good words']))
  await until(async () => {
    const kept = (await tab.outbox.all()).find(({ id }) => id === refused.id)
    expect(kept).toMatchObject({
      state: 'attention',
      input: refused.input,
      last_error: { status: 422, message: 'That is not valid.' },
    })
  })
})
