import { expect, onTestFinished, test } from 'vitest'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

test('keeps a rejected update with its text and reason, and sends later ones', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const refused = await postUpdate(tab, 'invalid words')
  await postUpdate(tab, 'Good words')
  await waitFor(() => expect(stage.storedTexts).toEqual(['Good words']))
  await waitFor(async () => {
    const stored = (await tab.outbox.all()).find(({ id }) => id === refused.id)
    expect(stored).toMatchObject({
      state: 'attention',
      input: refused.input,
      last_error: { status: 422, message: 'That is not valid.' },
    })
  })
})
