// A browser shows errors without CORS headers as no answer at all.
import { expect, test } from 'vitest'
import type { NetworkRequest } from '../../../src/sync/core/ports.ts'
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

/** A read tab whose server answers `isHidden` with errors that the browser does not show, and how often it probed. */
async function hiding(isHidden: (request: NetworkRequest) => boolean) {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.answersUnread = true
  stage.requests.length = 0
  stage.network = (request) => {
    if (isHidden(request)) throw new TypeError('Failed to fetch')
    return stage.answer(request)
  }
  const refreshes = () => stage.requests.filter(({ url }) => url === '/oauth/token')
  const probes = () => stage.requests.filter(isUserinfo)
  const states: string[] = []
  tab.state.connection.subscribe(() => states.push(tab.state.connection.get()))
  const pullUntil = (look: () => void) =>
    waitFor(async () => {
      await tab.pullScheduler.pullAgain()
      look()
    })
  return { stage, tab, refreshes, probes, states, pullUntil }
}

const isUserinfo = ({ url }: NetworkRequest) => url.endsWith('/userinfo')

test('a refresh after which no call is answered is not repeated at each probe, and it is said', async () => {
  const { stage, tab, refreshes, probes, states, pullUntil } = await hiding(({ url }) =>
    url.includes('/api/'),
  )
  const { access_token } = tab.session.current().session ?? {}
  await pullUntil(() => expect(probes().length).toBeGreaterThan(5))
  expect(refreshes()).toHaveLength(1)
  expect(tab.session.current().session?.access_token).not.toBe(access_token)
  await waitFor(() => expect(tab.state.connection.get()).toBe('not-understood'))
  // The new tokens alone were taken for an answer.
  expect(states.filter((state) => state === 'online')).toHaveLength(1)
  // They may have expired meanwhile.
  stage.aheadMs += 10 * 60_000
  await pullUntil(() => expect(refreshes()).toHaveLength(2))
  stage.network = stage.answer
  await pullUntil(() => expect(tab.state.connection.get()).toBe('online'))
  expect(refreshes()).toHaveLength(2)
})

test('where some calls are answered, the tokens are refreshed once a minute at most', async () => {
  const { stage, refreshes, probes, pullUntil } = await hiding(
    ({ url }) => url.includes('/api/') && !url.includes('/accounts'),
  )
  await pullUntil(() => expect(probes().length).toBeGreaterThan(5))
  expect(refreshes()).toHaveLength(1)
  expect(stage.plain.seen('GET', /accounts$/).length).toBeGreaterThan(1)
  stage.aheadMs += 60_000
  await pullUntil(() => expect(refreshes()).toHaveLength(2))
})

test('a session that expires again within minutes is refreshed again', async () => {
  const { stage, tab, refreshes } = await expired()
  for (const count of [1, 2, 3]) {
    stage.plain.tokens.expireAll()
    await tab.pullScheduler.pullAgain()
    await waitFor(() => expect(refreshes()).toHaveLength(count))
    await waitFor(() => expect(tab.state.connection.get()).toBe('online'))
    await tab.pullScheduler.pullAgain()
    stage.aheadMs += 2 * 60_000
  }
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
