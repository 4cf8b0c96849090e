// A browser shows errors without CORS headers as no answer at all.
import { expect, test } from 'vitest'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

/** What a page of another origin gets: an error looks like a lost network. */
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
  const states: string[] = []
  tab.state.connection.subscribe(() => states.push(tab.state.connection.get()))
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
  const { length } = stage.plain.seen('GET', /accounts$/)
  await waitFor(() => expect(stage.plain.seen('GET', /accounts$/).length).toBeGreaterThan(length))
  await tab.pullScheduler.pull()
  expect(states).toEqual(['offline', 'online'])
})

/** A tab whose tokens have expired, as a browser shows it where errors have no CORS headers. */
async function expired() {
  const stage = withoutCorsOnErrors()
  const tab = await stage.readTab()
  stage.answersUnread = true
  stage.requests.length = 0
  const refreshes = () => stage.requests.filter(({ url }) => url === '/oauth/token')
  return { stage, tab, refreshes }
}

test('an expired session is refreshed though its 401 cannot be read', async () => {
  const { stage, tab, refreshes } = await expired()
  const states: string[] = []
  tab.state.connection.subscribe(() => states.push(tab.state.connection.get()))
  stage.plain.tokens.expireAll()
  await tab.enqueue('postPlanUpdate', {
    path: { id: '1' },
    body: { id: crypto.randomUUID(), body: 'They signed.' },
  })
  await stage.settled(tab)
  expect(refreshes()).toHaveLength(1)
  expect(stage.plain.records.tables.updates.at(-1)).toMatchObject({ body: 'They signed.' })
  await waitFor(() => expect(tab.state.connection.get()).toBe('online'))
  expect(states).not.toContain('not-understood')
})

test('probes at once of an expired session refresh it once, and are not taken for unreadable', async () => {
  const { stage, tab, refreshes } = await expired()
  const states: string[] = []
  tab.state.connection.subscribe(() => states.push(tab.state.connection.get()))
  stage.plain.tokens.expireAll()
  await tab.pullScheduler.pullAgain()
  for (let probes = 0; probes < 3; probes += 1) tab.wake()
  await waitFor(() => expect(tab.state.connection.get()).toBe('online'))
  await stage.settled(tab)
  expect(refreshes()).toHaveLength(1)
  expect(states).toEqual(['offline', 'online'])
})

test('a refused refresh that cannot be read is not understood, and not repeated at once', async () => {
  const { stage, tab, refreshes } = await expired()
  stage.plain.tokens.revokeAll()
  await tab.pullScheduler.pullAgain()
  await waitFor(() => expect(tab.state.connection.get()).toBe('not-understood'))
  const probes = () => stage.requests.filter(({ url }) => url.endsWith('/userinfo')).length
  const before = probes()
  await waitFor(() => expect(probes()).toBeGreaterThan(before + 2))
  expect(tab.state.connection.get()).toBe('not-understood')
  expect(refreshes()).toHaveLength(1)
  expect(tab.session.caller()).toBeDefined()
  stage.aheadMs += 10 * 60_000
  await waitFor(() => expect(refreshes()).toHaveLength(2))
  // It is read again.
  stage.network = stage.answer
  await waitFor(() => expect(tab.session.caller()).toBeUndefined())
})

test('without any answer it is offline, and no token is used up', async () => {
  const { stage, tab, refreshes } = await expired()
  stage.answersUnread = false
  stage.network = () => {
    throw new TypeError('Failed to fetch')
  }
  await tab.pullScheduler.pullAgain()
  const before = stage.requests.length
  await waitFor(() => expect(stage.requests.length).toBeGreaterThan(before + 2))
  expect(tab.state.connection.get()).toBe('offline')
  expect(refreshes()).toEqual([])
})
