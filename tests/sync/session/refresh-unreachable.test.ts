import { expect, onTestFinished, test } from 'vitest'
import type { ServerAnswer } from '../simulation/model-tenant.ts'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

const answers: Record<string, () => ServerAnswer> = {
  'no answer': () => {
    throw new Error('There is no network.')
  },
  'a server error': () => ({ status: 503, headers: {}, text: 'upstream error' }),
  'a page': () => ({ status: 200, headers: { 'content-type': 'text/html' }, text: '<html>' }),
  'a refusal in HTML': () => ({ status: 401, headers: {}, text: '<html>Sign in to the train.' }),
  'too many requests': () => ({
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': '1' },
    text: '{"message":"Too many requests."}',
  }),
}

for (const [name, refresh] of Object.entries(answers))
  test(`keeps the session and sends the update later when a refresh gets ${name}`, async () => {
    const stage = new EngineFixture()
    onTestFinished(() => stage.close())
    const tab = await stage.signedInTab('ann')
    stage.server.tokens.expireAll()
    let refreshCount = 0
    stage.network = (request, answer) => {
      if (request.url !== '/oauth/token') return answer()
      refreshCount += 1
      return refresh()
    }
    await postUpdate(tab, 'They signed.')
    await waitFor(() => expect(refreshCount).toBeGreaterThan(0))
    expect((await tab.session.reload()).session?.user.id).toBe('ann')
    expect(stage.storedTexts).toEqual([])

    stage.network = (_request, answer) => answer()
    await waitFor(() => expect(stage.storedTexts).toEqual(['They signed.']))
  })
