// A browser shows errors without CORS headers as no answer at all.
import { expect, test } from 'vitest'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

/** What a page of another origin gets: an error cannot be told from a lost network. */
function withoutCorsOnErrors(): PlainFixture {
  const stage = new PlainFixture()
  // The configuration names calls that the server turns out not to have.
  stage.address = { baseUrl: '', capabilities: 'changes, events' }
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (answer.status >= 400) throw new TypeError('Failed to fetch')
    return answer
  }
  return stage
}

test('the lists are read though `changes` gets no answer, and it is online', async () => {
  const stage = withoutCorsOnErrors()
  const tab = await stage.readTab()
  tab.subscription.setVisible(true)
  expect(await stored(tab, 'success_plans')).toHaveLength(40)
  await waitFor(() => expect(stage.plain.seen('GET', /events$/).length).toBeGreaterThan(1))
  await tab.pullScheduler.pullAgain()
  expect(tab.state.connection.get()).toBe('online')
  expect(stage.plain.seen('GET', /changes$/)).toHaveLength(1)
})

test('it is online again after a lost network', async () => {
  const stage = withoutCorsOnErrors()
  const tab = await stage.readTab()
  const { network } = stage
  stage.network = () => {
    throw new Error('There is no network.')
  }
  await tab.pullScheduler.pullAgain()
  expect(tab.state.connection.get()).toBe('offline')
  // No list is waited for that cannot be answered.
  stage.requests.length = 0
  await tab.pullScheduler.pullAgain()
  const lists = stage.requests.filter(({ url }) => url.includes('per_page'))
  expect(lists.length).toBeLessThan(4)
  stage.network = network
  await waitFor(() => expect(tab.state.connection.get()).toBe('online'))
})
