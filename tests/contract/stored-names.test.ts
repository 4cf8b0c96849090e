// Names and shapes that two builds share on one device. A tab of the build before runs beside one of this
// build, and what it has stored is read by this one: renaming one of these splits them. Builds then
// send twice, sign each other out, or leave a queue where nothing reads it. To change one on purpose, read
// and write both names for one release, and change the list here in the release after it.
import { expect, onTestFinished, test, vi } from 'vitest'
import { engineTable } from '../../contract/engine-table.ts'
import { replayInBackground } from '../../src/sync/core/replay/background-replay.ts'
import { Cancellation } from '../../src/sync/core/change-subscription.ts'
import { registerBackgroundSync } from '../../src/sync/browser/background-sync.ts'
import { createChannel } from '../../src/sync/browser/web-ports.ts'
import { readStoredSession, writeStoredSession } from '../../src/sync/browser/session-storage.ts'
import type { Message } from '../../src/sync/core/ports.ts'
import { EngineFixture, postUpdate, offline, waitFor } from '../sync/engine-fixture.ts'

const HOUR_MS = 3_600_000
const WHY = 'The build before uses this name on the same device; see the top of this test.'

/** Of the calls that wait in the queue: what stands in a stored operation, and in which lane it waits. */
const QUEUED = {
  updateUserinfo: 'userinfo',
  updateNotificationConsents: 'notification-consents',
  createAccount: 'account:of-body',
  updateAccount: 'account:of-path',
  createSuccessPlan: 'success-plan:of-body',
  updateSuccessPlan: 'success-plan:of-path',
  postPlanUpdate: 'success-plan:of-path',
  createInitiative: 'initiative:of-body',
  updateInitiative: 'initiative:of-path',
  createAction: 'action:of-body',
  updateAction: 'action:of-body',
  deleteAccount: 'account:of-path',
  deleteSuccessPlan: 'success-plan:of-path',
  deleteInitiative: 'initiative:of-path',
  deleteAction: 'action:of-path',
  deleteTemplate: 'templates:of-path',
  putSavedView: 'saved-view:of-path',
  deleteSavedView: 'saved-view:of-path',
}
const OPERATION = [
  'api',
  'attempts',
  'created_at',
  'depends_on',
  'endpoint',
  'id',
  'input',
  'lane',
  'last_error',
  'not_before',
  'organisation_id',
  'seq',
  'state',
  'user_id',
  'v',
]
const ACKNOWLEDGED = ['acknowledged_at', 'answer', 'claimed_at', 'keyed_at', 'sent_at']
const EDIT = ['base']

/** Puts `stub` in the place of a global for one test; all other stubs stay. */
function inPlaceOf(name: 'BroadcastChannel' | 'navigator', stub: unknown): void {
  const real: unknown = globalThis[name]
  vi.stubGlobal(name, stub)
  onTestFinished(() => void vi.stubGlobal(name, real))
}

/** A device on which Ann is signed in and has read all of the organisation `north`. */
async function device() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  stage.supportsEvents = true
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBe(null))
  return { stage, tab }
}

const request = <T>(asked: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error ?? new Error('The database did not answer.'))
  })

/** Keys and values of a store, as any build reads them. */
async function entriesOf(stage: EngineFixture, store: string): Promise<[IDBValidKey, unknown][]> {
  const database = await request(stage.factory.open('cairn'))
  const open = () => database.transaction(store).objectStore(store)
  const keys = await request(open().getAllKeys())
  const values = (await request(open().getAll())) as unknown[]
  database.close()
  return keys.map((key, at) => [key, values[at]])
}

test('the database, its version and its stores', async () => {
  const { stage } = await device()
  expect(await stage.factory.databases(), WHY).toEqual([{ name: 'cairn', version: 1 }])
  const database = await request(stage.factory.open('cairn'))
  expect([...database.objectStoreNames].toSorted(), WHY).toEqual([
    'cache',
    'drafts',
    'operations',
    'session',
  ])
  database.close()
})

test('the session and the replica of an organisation, by their keys', async () => {
  const { stage, tab } = await device()
  await postUpdate(tab, 'First')
  const [[key, kept] = []] = await entriesOf(stage, 'session')
  expect(key, WHY).toBe('session')
  expect(kept, WHY).toMatchObject({
    seq: expect.any(Number) as number,
    session: {
      access_token: expect.any(String) as string,
      refresh_token: expect.any(String) as string,
      user: { id: 'ann' },
      active_organisation: { id: 'north' },
    },
  })
  const NAMES = new Set([
    '!progress',
    'accounts',
    'organisation_users',
    'success_plan_updates',
    'success_plans',
  ])
  await waitFor(async () => {
    const keys = (await entriesOf(stage, 'cache')).map(([path]) => path as string[])
    const ofNorth = keys.filter(
      ([user, organisation]) => user === 'ann' && organisation === 'north',
    )
    const names = new Set(ofNorth.map(([, , name]) => name))
    expect(names, WHY).toEqual(NAMES)
  })
})

test('what a device needs to forget its user after days without contact', async () => {
  const { stage, tab } = await device()
  await tab.session.forgetAfter(14)
  const [key, stored] =
    (await entriesOf(stage, 'session')).find(([path]) => path === 'contact') ?? []
  expect(key, WHY).toBe('contact')
  expect(stored, WHY).toEqual({ days: 14, silent_ms: 0, read_at: expect.any(Number) as number })
})

test('the fields of a stored operation, and the counters beside it', async () => {
  const { stage, tab } = await device()
  stage.network = offline
  // Nothing is attempted then.
  await tab.pullScheduler.pullAgain()
  const added = await postUpdate(tab, 'First')
  await tab.enqueue(
    'updateSuccessPlan',
    { path: { id: 'north-1' }, body: { title: 'Renamed' } },
    (await tab.activeReplica()?.record('success_plans', 'north-1')) ?? undefined,
  )
  const stored = new Map(await entriesOf(stage, 'operations'))
  expect([...stored.keys()], WHY).toContain('!seq')
  expect(Object.keys(stored.get(added.id) as object).toSorted(), WHY).toEqual(OPERATION)
  expect(stored.get(added.id), WHY).toMatchObject({ v: 1, state: 'pending', user_id: 'ann' })
  const edit = [...stored.values()].find(
    (one) => (one as { endpoint?: string }).endpoint === 'updateSuccessPlan',
  )
  expect(Object.keys(edit as object).toSorted(), WHY).toEqual([...OPERATION, ...EDIT].toSorted())
  expect(edit, WHY).toMatchObject({ base: { version: expect.any(Number) as number, fields: {} } })
})

test('the fields of an operation that the server has answered', async () => {
  const { stage, tab } = await device()
  const all: unknown[] = []
  tab.state.operations.subscribe(() => all.push(...tab.state.operations.get()))
  await postUpdate(tab, 'First')
  await waitFor(() => expect(stage.storedTexts).toEqual(['First']))
  const isAnswered = (one: unknown) => (one as { state: string }).state === 'acknowledged'
  await waitFor(() => expect(all.some(isAnswered), WHY).toBe(true))
  const answered = Object.keys(all.find(isAnswered) as object).toSorted()
  expect(answered, WHY).toEqual([...OPERATION, ...ACKNOWLEDGED].toSorted())
  expect(
    (await entriesOf(stage, 'operations')).map(([key]) => key),
    WHY,
  ).toContain('!tick')
  await waitFor(async () =>
    expect((await entriesOf(stage, 'cache')).map(([key]) => key)).toContainEqual([
      'ann',
      '',
      '=sent',
    ]),
  )
  expect(
    (await entriesOf(stage, 'operations')).map(([key]) => key),
    WHY,
  ).toContain('!pruned')
})

test.for(Object.entries(QUEUED))('a stored %s is sent, in its lane', ([endpoint, lane]) => {
  const { offlinePolicy } = engineTable.calls[endpoint as keyof typeof engineTable.calls] ?? {}
  expect(offlinePolicy, `${endpoint}: ${WHY}`).toBeDefined()
  const input = { path: { id: 'of-path' }, body: { id: 'of-body' } }
  expect(offlinePolicy?.lane(input), WHY).toBe(lane)
})

test('the locks that tabs and the worker hold', async () => {
  const names = new Set<string>()
  const asked = vi.spyOn(navigator.locks, 'request')
  onTestFinished(() => asked.mockRestore())
  const { stage, tab } = await device()
  tab.subscription.setVisible(true)
  await waitFor(() => expect(tab.subscription.connected).toBe(true))
  stage.serverClockAheadMs = HOUR_MS
  await postUpdate(tab, 'First')
  await waitFor(() => expect(stage.storedTexts).toEqual(['First']))
  for (const [name] of asked.mock.calls) names.add(name)
  expect([...names].toSorted(), WHY).toEqual([
    'cairn-download-north',
    'cairn-live',
    'cairn-refresh',
    'cairn-replay',
  ])
})

test('the channel, and what contexts post on it', async () => {
  const opened: string[] = []
  class Recorder extends EventTarget {
    constructor(name: string) {
      super()
      opened.push(name)
    }
  }
  inPlaceOf('BroadcastChannel', Recorder)
  createChannel()
  expect(opened, WHY).toEqual(['cairn'])

  const { stage, tab } = await device()
  const heard: Message[] = []
  stage.ports().channel.subscribe((message) => heard.push(message))
  await postUpdate(tab, 'First')
  const typesOf = () => new Set(heard.map(({ type }) => type))
  await waitFor(() => expect(typesOf(), WHY).toContain('sending'))
  await waitFor(() => expect(typesOf(), WHY).toContain('cache'))
  expect(typesOf(), WHY).toContain('operations')
  expect(heard.find(({ type }) => type === 'sending')).toMatchObject({
    ids: expect.any(Array) as [],
  })
  expect(
    heard.find(({ type }) => type === 'cache'),
    WHY,
  ).toMatchObject({
    scope: { user_id: 'ann', organisation_id: 'north' },
    touched: expect.any(Object) as object,
  })
  stage.network = offline
  await postUpdate(tab, 'Second')
  stage.closeTabs()
  stage.network = (_request, answer) => answer()
  stage.ports().channel.subscribe((message) => heard.push(message))
  const token = { ...engineTable.token, client: async () => ({ client_id: 'app' }) }
  const sleep = async (_wait: number) => {}
  const signal = new Cancellation()
  await replayInBackground(stage.ports(), token, { last: false, sleep, signal, reads: engineTable })
  expect(typesOf(), WHY).toContain('sent')
  await (await stage.tab()).signOut('discard')
  expect(typesOf(), WHY).toContain('session')
})

test('the tag that the browser calls the worker with', async () => {
  const register = vi.fn<(tag: string) => Promise<void>>(async () => {})
  const getRegistration = async () => ({ sync: { register } })
  inPlaceOf('navigator', { serviceWorker: { getRegistration } })
  await registerBackgroundSync()
  expect(register.mock.calls, WHY).toEqual([['cairn-replay']])
})

test('the session in localStorage', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage
  const written = {
    access_token: 'access',
    refresh_token: 'refresh',
    user: '{"id":"ann","name":"Ann","email":"ann@example.com"}',
    active_organisation: '{"id":"north","name":"North","user_id":"ann","pivot":{"role":"admin"}}',
    session_seq: '7',
  }
  for (const [key, value] of Object.entries(written)) kept.set(key, value)
  const session = {
    access_token: 'access',
    refresh_token: 'refresh',
    user: { id: 'ann', name: 'Ann', email: 'ann@example.com' },
    active_organisation: {
      id: 'north',
      name: 'North',
      user_id: 'ann',
      pivot: { role: 'admin' },
    },
  }
  expect(readStoredSession(storage), WHY).toEqual({ seq: 7, session })
  kept.clear()
  writeStoredSession(storage, { seq: 7, session })
  expect(Object.fromEntries(kept), WHY).toEqual(written)
  writeStoredSession(storage, { seq: 8, session: null })
  expect(Object.fromEntries(kept), WHY).toEqual({ session_seq: '8' })
})
