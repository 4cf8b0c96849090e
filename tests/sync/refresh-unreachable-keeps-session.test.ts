import { expect, onTestFinished, test } from 'vitest'
import type { ServerAnswer } from './simulation/model-server.ts'
import { Stage, say, until } from './stage.ts'

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
  test(`a refresh that gets ${name} signs nobody out, and the update goes out later`, async () => {
    const stage = new Stage()
    onTestFinished(() => stage.close())
    const tab = await stage.signedIn('ann')
    stage.server.tokens.expireAll()
    let asked = 0
    stage.network = (request, answer) => {
      if (request.url !== '/oauth/token') return answer()
      asked += 1
      return refresh()
    }
    await say(tab, 'They signed.')
    await until(() => expect(asked).toBeGreaterThan(0))
    expect((await tab.session.reload()).session?.user.id).toBe('ann')
    expect(stage.texts).toEqual([])

    stage.network = (_request, answer) => answer()
    await until(() => expect(stage.texts).toEqual(['They signed.']))
  })
