import { expect, onTestFinished, test, vi } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { ChangeSubscription } from '../../../src/sync/core/change-subscription.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import type { PullScheduler } from '../../../src/sync/core/pull/pull-scheduler.ts'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'
import { versionEvent } from '../simulation/model/event-stream.ts'

/** A device that has downloaded the organisation `north`, and a server that streams events. */
async function upToDateTab(): Promise<{ stage: EngineFixture; tab: Engine }> {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  stage.supportsEvents = true
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBe(null))
  return { stage, tab }
}

const titleIn = async (tab: Engine) =>
  (await tab.activeReplica()?.record('success_plans', 'north-1'))?.title

/** A change by another user. */
function rename(stage: EngineFixture, title: string): void {
  stage.server.editPlan('north', 'north-1', { title }, Date.now())
  for (const stream of stage.streams) stream.tell()
}

test('pulls changes as soon as the server publishes them', async () => {
  const { stage, tab } = await upToDateTab()
  tab.subscription.setVisible(true)
  await waitFor(() => expect(tab.subscription.connected).toBe(true))
  rename(stage, 'Renamed by Mia')
  await waitFor(async () => expect(await titleIn(tab)).toBe('Renamed by Mia'))
})

test('reads many changes with few requests', async () => {
  const { stage, tab } = await upToDateTab()
  tab.subscription.setVisible(true)
  await waitFor(() => expect(tab.subscription.connected).toBe(true))
  const requestsBefore = stage.requests.length
  for (let many = 1; many <= 50; many += 1) rename(stage, `Renamed ${many} times`)
  await waitFor(async () => expect(await titleIn(tab)).toBe('Renamed 50 times'))
  expect(stage.requests.length - requestsBefore).toBeLessThanOrEqual(2)
})

/** A tab that listens to a server whose events have changes. */
async function listeningTab() {
  const { stage, tab } = await upToDateTab()
  stage.eventsHaveChanges = true
  tab.subscription.setVisible(true)
  await waitFor(() => expect(tab.subscription.connected).toBe(true))
  const [stream] = stage.streams
  const north = stage.server.tenants.get('north')
  if (!stream || !north) throw new Error('There is no stream.')
  const since = async () => (await tab.activeReplica()?.cursor())?.since
  await waitFor(async () => expect(await since()).toBe(north.version))
  // What the opening of the stream asks for is answered.
  await tab.pullScheduler.pullAgain()
  const edit = (id: string, title: string) =>
    stage.server.editPlan('north', id, { title }, Date.now())
  return { stage, tab, stream, north, since, edit }
}

/** A subscription of its own, whose timers and pulls the test runs itself. */
function watchedSubscription(
  stage: EngineFixture,
  tab: Engine,
  apply: PullScheduler['applyEvent'] = async () => false,
) {
  const timers: { delayMs: number; work: () => void }[] = []
  const pullAgain = vi.fn<PullScheduler['pullAgain']>(async () => undefined)
  const applyEvent = vi.fn(apply)
  const subscription = new ChangeSubscription({
    ports: stage.ports(),
    http: tab.http,
    events: product.events,
    schedule: (delayMs, work) => {
      timers.push({ delayMs, work })
      return () => undefined
    },
    activeReplica: () => tab.activeReplica(),
    scheduler: { applyEvent, pullAgain },
    isOnline: () => true,
  })
  subscription.setVisible(true)
  return { subscription, timers, pullAgain, applyEvent }
}

/** Refuses to answer `changes`, so that the device has only what events bring. */
const withoutChanges: EngineFixture['network'] = (request, answer) =>
  request.url.startsWith('/api/v1/changes') ? { status: 503, headers: {}, text: '' } : answer()

test('stores the changes that an event has, without a request', async () => {
  const { stage, tab, north, since } = await listeningTab()
  const requestsBefore = stage.requests.length
  rename(stage, 'Renamed by Mia')
  rename(stage, 'Renamed by Mia, and again')
  await waitFor(async () => expect(await titleIn(tab)).toBe('Renamed by Mia, and again'))
  expect(await since()).toBe(north.version)
  expect(stage.requests.slice(requestsBefore).map(({ method, url }) => `${method} ${url}`)).toEqual(
    [],
  )
})

test('pulls where it has not all changes before an event', async () => {
  const { stage, tab, stream, north, since, edit } = await listeningTab()
  edit('north-2', 'Renamed unheard')
  const { version: unheard } = north
  const before = await since()
  edit('north-1', 'Renamed by Mia')
  stage.network = withoutChanges
  const requestsBefore = stage.requests.length
  stream.tell(versionEvent('north', north, unheard))
  await waitFor(() => expect(stage.requests.length).toBeGreaterThan(requestsBefore))
  expect([await since(), await titleIn(tab)]).toEqual([before, 'north-1'])
  stage.network = (_request, answer) => answer()
  tab.wake()
  await waitFor(async () => expect(await titleIn(tab)).toBe('Renamed by Mia'))
  const other = await tab.activeReplica()?.record('success_plans', 'north-2')
  expect(other?.title).toBe('Renamed unheard')
})

test('an operation stays until an event of its own version', async () => {
  const { stage, tab, stream, north, edit } = await listeningTab()
  stage.network = withoutChanges
  const renamed = ['Renamed by Mia', 'Renamed again'].map((title) => {
    const { version } = north
    edit('north-1', title)
    return versionEvent('north', north, version)
  })
  const { version: between } = north
  await postUpdate(tab, 'They signed.')
  const states = () => tab.state.operations.get().map(({ state }) => state)
  await waitFor(() => expect(states()).toEqual(['acknowledged']))
  for (const event of renamed) stream.tell(event)
  await waitFor(async () => expect(await titleIn(tab)).toBe('Renamed again'))
  expect(states()).toEqual(['acknowledged'])
  stream.tell(versionEvent('north', north, between))
  await waitFor(() => expect(states()).toEqual([]))
  const updates = await tab.activeReplica()?.partition('success_plan_updates', 'north-1')
  expect(updates?.map(({ body }) => body)).toEqual(['They signed.'])
})

test('closes the stream while no tab is visible', async () => {
  const { stage, tab } = await upToDateTab()
  tab.subscription.setVisible(true)
  await waitFor(() => expect(stage.streams.size).toBe(1))
  tab.subscription.setVisible(false)
  await waitFor(() => expect(stage.streams.size).toBe(0))
  expect(tab.subscription.connected).toBe(false)
})

test('shares one stream between tabs and hands it over', async () => {
  const { stage, tab } = await upToDateTab()
  const other = await stage.tab()
  tab.subscription.setVisible(true)
  await waitFor(() => expect(tab.subscription.connected).toBe(true))
  other.subscription.setVisible(true)
  rename(stage, 'Renamed for both')
  await waitFor(async () => expect(await titleIn(other)).toBe('Renamed for both'))
  expect(stage.streams.size).toBe(1)
  expect(other.subscription.connected).toBe(false)
  tab.subscription.setVisible(false)
  await waitFor(() => expect(other.subscription.connected).toBe(true))
  expect(stage.streams.size).toBe(1)
})

test('refreshes an expired token once and subscribes', async () => {
  const { stage, tab } = await upToDateTab()
  stage.serverClockAheadMs = 20 * 60_000
  tab.subscription.setVisible(true)
  await waitFor(() => expect(tab.subscription.connected).toBe(true))
  expect(stage.requests.filter(({ url }) => url === '/oauth/token')).toHaveLength(2)
})

test('subscribes to the chosen organisation only', async () => {
  const { stage, tab } = await upToDateTab()
  tab.subscription.setVisible(true)
  await waitFor(() => expect(tab.subscription.connected).toBe(true))
  await tab.session.update('ann', { active_organisation: { id: 'south' } })
  await waitFor(() =>
    expect([...stage.streams].map((one) => one.organisation_id)).toEqual(['south']),
  )
})

test('ends the stream at sign-out', async () => {
  const { stage, tab } = await upToDateTab()
  tab.subscription.setVisible(true)
  await waitFor(() => expect(stage.streams.size).toBe(1))
  await tab.signOut('keep')
  await waitFor(() => expect(stage.streams.size).toBe(0))
})

test('reopens an ended stream and pulls what was missed', async () => {
  const { stage, tab } = await upToDateTab()
  tab.subscription.setVisible(true)
  await waitFor(() => expect(tab.subscription.connected).toBe(true))
  const [stream] = stage.streams
  stage.server.editPlan('north', 'north-1', { title: 'Renamed unheard' }, Date.now())
  stream?.end()
  await waitFor(async () => expect(await titleIn(tab)).toBe('Renamed unheard'))
})

test('is offline when an ended stream cannot be opened again', async () => {
  const { stage, tab } = await upToDateTab()
  tab.subscription.setVisible(true)
  await waitFor(() => expect(tab.subscription.connected).toBe(true))
  stage.network = offline
  for (const stream of stage.streams) stream.end()
  await waitFor(() => expect(tab.state.connection.get()).toBe('offline'))
})

test('is online again when an event arrives', async () => {
  const { stage, tab } = await upToDateTab()
  tab.subscription.setVisible(true)
  await waitFor(() => expect(tab.subscription.connected).toBe(true))
  stage.network = offline
  await tab.pullScheduler.pullAgain()
  expect(tab.state.connection.get()).toBe('offline')
  for (const stream of stage.streams) stream.tell()
  expect(tab.state.connection.get()).toBe('online')
})

test('stays online when the tab is hidden before its stream is open', async () => {
  const { stage, tab } = await upToDateTab()
  const { promise: held, reject: cancel } = Promise.withResolvers<void>()
  let asked = false
  stage.delayRequest = async ({ headers }) => {
    if (headers.Accept !== 'text/event-stream') return
    asked = true
    await held
  }
  const states: string[] = []
  tab.state.connection.subscribe(() => states.push(tab.state.connection.get()))
  tab.subscription.setVisible(true)
  await waitFor(() => expect(asked).toBe(true))
  tab.subscription.setVisible(false)
  // As a browser does.
  cancel(new DOMException('The request was cancelled.', 'AbortError'))
  await tab.pullScheduler.pullAgain()
  expect(states).toEqual([])
})

test('stays online where the server answers an error in place of the stream', async () => {
  const { stage, tab } = await upToDateTab()
  const states: string[] = []
  tab.state.connection.subscribe(() => states.push(tab.state.connection.get()))
  stage.network = (request, answer) =>
    request.headers.Accept === 'text/event-stream'
      ? { status: 500, headers: {}, text: '' }
      : answer()
  const asks = () => stage.requests.filter(({ url }) => url === '/api/v1/changes?since=0').length
  const before = asks()
  tab.subscription.setVisible(true)
  await waitFor(() => expect(asks()).toBeGreaterThan(before + 1))
  expect(states).toEqual([])
})

test('downloads again when the server’s version is lower', async () => {
  const { stage, tab } = await upToDateTab()
  stage.server.moveToNewDatabase()
  tab.subscription.setVisible(true)
  await waitFor(async () => {
    const since = (await tab.activeReplica()?.cursor())?.since
    expect(since).toBe(stage.server.tenants.get('north')?.version)
  })
})

test('asks a server without events once, and sends operations as usual', async () => {
  const { stage, tab } = await upToDateTab()
  stage.supportsEvents = false
  const asks = () => stage.requests.filter(({ url }) => url === '/api/v1/events').length
  tab.subscription.setVisible(true)
  await waitFor(() => expect(asks()).toBe(1))
  await postUpdate(tab, 'They signed.')
  await waitFor(() => expect(stage.storedTexts).toEqual(['They signed.']))
  tab.subscription.setVisible(false)
  tab.subscription.setVisible(true)
  tab.wake()
  await postUpdate(tab, 'They paid.')
  await waitFor(() => expect(stage.storedTexts).toEqual(['They signed.', 'They paid.']))
  expect({ asks: asks(), hears: tab.subscription.connected }).toEqual({ asks: 1, hears: false })
})

test('opens a stream once a server without events announces them', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  stage.supportsEvents = true
  stage.network = (_request, answer) => {
    const { headers, ...answered } = answer()
    const announced = headers['cairn-capabilities']?.replace(', events', '') ?? ''
    return { ...answered, headers: { ...headers, 'cairn-capabilities': announced } }
  }
  const tab = await stage.signedInTab('ann')
  tab.subscription.setVisible(true)
  await postUpdate(tab, 'They signed.')
  await waitFor(() => expect(stage.storedTexts).toEqual(['They signed.']))
  expect(tab.http.capabilities.has('events')).toBe(false)
  stage.network = (_request, answer) => answer()
  await postUpdate(tab, 'They paid.')
  await waitFor(() => expect(tab.http.capabilities.has('events')).toBe(true))
  tab.wake()
  await waitFor(() => expect(tab.subscription.connected).toBe(true))
})

test('polls for as long as a server with too many open streams asks', async () => {
  const { stage, tab } = await upToDateTab()
  stage.network = (request, answer) =>
    request.headers.Accept === 'text/event-stream'
      ? {
          status: 429,
          headers: { 'content-type': 'application/json', 'retry-after': '60' },
          text: '{"message":"Too many open streams. Please close some."}',
        }
      : answer()
  const { subscription, timers } = watchedSubscription(stage, tab)
  await waitFor(() => expect(timers.map(({ delayMs }) => delayMs)).toEqual([60_000]))
  expect(subscription.connected).toBe(false)
})

test('has nothing to pull where it stored the changes of all events', async () => {
  const { stage, tab } = await upToDateTab()
  await tab.pullScheduler.pullAgain()
  stage.eventsHaveChanges = true
  const { subscription, timers } = watchedSubscription(stage, tab, (...event) =>
    tab.pullScheduler.applyEvent(...event),
  )
  await waitFor(() => expect(subscription.connected).toBe(true))
  // Events are dealt with one after the other.
  for (const title of ['Renamed by Mia', 'Renamed again']) {
    rename(stage, title)
    await waitFor(async () => expect(await titleIn(tab)).toBe(title))
  }
  expect(timers).toEqual([])
})

/** A watched subscription that has heard of one change. */
async function announcedChange() {
  const { stage, tab } = await upToDateTab()
  await tab.pullScheduler.pullAgain()
  stage.eventsHaveChanges = true
  const watched = watchedSubscription(stage, tab)
  await waitFor(() => expect(watched.subscription.connected).toBe(true))
  rename(stage, 'Renamed by Mia')
  await waitFor(() => expect(watched.timers).toHaveLength(1))
  return { stage, tab, ...watched }
}

test('does not pull for a change that was pulled meanwhile', async () => {
  const { stage, tab, timers, pullAgain } = await announcedChange()
  await tab.pullScheduler.pullAgain()
  timers[0]?.work()
  rename(stage, 'Renamed again')
  await waitFor(() => expect(timers).toHaveLength(2))
  expect(pullAgain).not.toHaveBeenCalled()
})

test('pulls once more for a change that is announced during a pull', async () => {
  const { stage, timers, pullAgain, applyEvent } = await announcedChange()
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>()
  pullAgain.mockReturnValueOnce(held)
  timers[0]?.work()
  await waitFor(() => expect(pullAgain).toHaveBeenCalledTimes(1))
  const before = applyEvent.mock.calls.length
  rename(stage, 'Renamed again')
  await waitFor(() => expect(applyEvent.mock.calls.length).toBe(before + 1))
  release(undefined)
  await waitFor(() => expect(timers).toHaveLength(2))
  timers[1]?.work()
  await waitFor(() => expect(pullAgain).toHaveBeenCalledTimes(2))
})

test('does not pull again for a change that the pull under way has brought', async () => {
  const { stage, tab, timers, pullAgain } = await announcedChange()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const pull = tab.puller.pull.bind(tab.puller)
  vi.spyOn(tab.puller, 'pull').mockImplementationOnce(async (...replica) => {
    await held
    return await pull(...replica)
  })
  const download = tab.pullScheduler.pull()
  pullAgain.mockImplementationOnce((...given) => tab.pullScheduler.pullAgain(...given))
  const requestsBefore = stage.requests.length
  timers[0]?.work()
  await waitFor(() => expect(pullAgain).toHaveBeenCalledTimes(1))
  release()
  await download
  await pullAgain.mock.results[0]?.value
  expect(await titleIn(tab)).toBe('Renamed by Mia')
  expect(stage.requests.slice(requestsBefore)).toHaveLength(1)
})
