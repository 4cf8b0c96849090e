import { expect, onTestFinished, test } from 'vitest'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

test.for([200, 403])(
  'takes no page with status %i for an answer: all waits, the user stays signed in',
  async (status) => {
    const stage = new EngineFixture()
    onTestFinished(() => stage.close())
    const tab = await stage.signedInTab('ann')
    stage.network = () => ({
      status,
      headers: { 'content-type': 'text/html' },
      text: '<!doctype html><title>Welcome aboard</title>',
    })
    const { id } = await postUpdate(tab, 'They signed.')
    await waitFor(() => expect(tab.state.connection.get()).toBe('offline'))
    expect(await tab.outbox.all()).toMatchObject([{ id, state: 'pending', last_error: null }])
    expect(tab.session.current().session?.user.id).toBe('ann')

    stage.network = (_request, answer) => answer()
    await waitFor(() => expect(stage.storedTexts).toEqual(['They signed.']))
  },
)

test('does not take a response about another record as an acknowledgement', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  stage.network = (request, answer) => {
    const real = answer()
    if (!request.url.includes('/updates')) return real
    return { ...real, text: real.text.replaceAll(/"id":"[^"]+"/g, '"id":"another"') }
  }
  const { id } = await postUpdate(tab, 'They signed.')
  await waitFor(() => expect(stage.storedTexts).toEqual(['They signed.']))
  await waitFor(async () =>
    expect(await tab.outbox.all()).toMatchObject([{ id, state: 'pending', odd_answers: 1 }]),
  )
})
