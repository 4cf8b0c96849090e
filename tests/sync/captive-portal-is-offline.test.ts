import { expect, onTestFinished, test } from 'vitest'
import { Stage, say, until } from './stage.ts'

test('a page that says 200 to everything acknowledges nothing and signs nobody out', async () => {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const tab = await stage.signedIn('ann')
  stage.network = () => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    text: '<!doctype html><title>Welcome aboard</title>',
  })
  const { id } = await say(tab, 'They signed.')
  await until(() => expect(tab.connection.get()).toBe('offline'))
  expect(await tab.outbox.all()).toMatchObject([{ id, state: 'pending', last_error: null }])
  expect(tab.session.current().session?.user.id).toBe('ann')

  stage.network = (_request, answer) => answer()
  await until(() => expect(stage.texts).toEqual(['They signed.']))
})

test('an answer about another update is no acknowledgement', async () => {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  const tab = await stage.signedIn('ann')
  stage.network = (request, answer) => {
    const real = answer()
    if (!request.url.endsWith('/updates')) return real
    return { ...real, text: real.text.replaceAll(/"id":"[^"]+"/g, '"id":"another"') }
  }
  const { id } = await say(tab, 'They signed.')
  await until(() => expect(stage.texts).toEqual(['They signed.']))
  await until(() =>
    expect(stage.requests.filter((one) => one.method === 'POST').length).toBeGreaterThan(2),
  )
  expect(await tab.outbox.all()).toMatchObject([{ id, state: 'pending' }])
})
