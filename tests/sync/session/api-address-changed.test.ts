// The configuration names another server: it gets the tokens or the work that were meant for the one before.
import { expect, onTestFinished, test, vi } from 'vitest'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'

const OLD = 'https://old.test'
const NEW = 'https://new.test'

/** A device on which an update waits for the server at `OLD`; closed. */
async function deviceWithWaitingUpdate() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  stage.address = { baseUrl: OLD }
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBe(null))
  const behaviour = stage.network
  stage.network = offline
  await postUpdate(tab, 'For the old server')
  stage.closeTabs()
  stage.requests.length = 0
  stage.network = behaviour
  return stage
}

test('under another address the user is signed out and what waits is sealed', async () => {
  const stage = await deviceWithWaitingUpdate()
  stage.address = { baseUrl: NEW }
  const tab = await stage.tab()
  expect(tab.session.current()).toMatchObject({ session: null, left: { forced: true } })
  expect(stage.requests.filter(({ headers }) => headers.Authorization)).toEqual([])
  // The same user id means another person there.
  await stage.signIn(tab, 'ann')
  await tab.sendNow(true)
  await tab.pullScheduler.pullAgain()
  expect(tab.state.operations.get()).toEqual([])
  await tab.signOut('discard')
  expect(stage.storedTexts).toEqual([])
  stage.closeTabs()
  stage.address = { baseUrl: OLD }
  const back = await stage.signedInTab('ann')
  await waitFor(() => expect(stage.storedTexts).toEqual(['For the old server']))
  expect(back.session.caller()).toBeDefined()
})

test('the user is signed out at the next wake where storage failed at the start', async () => {
  const stage = await deviceWithWaitingUpdate()
  stage.address = { baseUrl: NEW }
  const tab = stage.engine()
  const transact = stage.store.transact.bind(stage.store)
  const failing = vi
    .spyOn(stage.store, 'transact')
    .mockImplementation(async (stores, mode, work) => {
      if (mode === 'strict') throw new Error('The disk is busy.')
      return await transact(stores, mode, work)
    })
  await expect(tab.start({ seq: 0, session: null })).rejects.toThrow('The disk is busy.')
  expect(tab.session.caller()?.user_id).toBe('ann')
  failing.mockRestore()
  tab.wake()
  await waitFor(() => expect(tab.session.current().session).toBe(null))
})

test('a new address of the same server keeps session and work', async () => {
  const stage = await deviceWithWaitingUpdate()
  stage.address = { baseUrl: NEW, formerBaseUrls: [`${OLD}/`] }
  const tab = await stage.tab()
  await waitFor(() => expect(stage.storedTexts).toEqual(['For the old server']))
  expect(tab.session.caller()?.user_id).toBe('ann')
})

test('an address that changes under an open tab gets no token', async () => {
  const stage = await deviceWithWaitingUpdate()
  const tab = await stage.tab()
  await waitFor(() => expect(stage.storedTexts).toHaveLength(1))
  stage.requests.length = 0
  stage.address = { baseUrl: NEW }
  await tab.pullScheduler.pullAgain()
  expect(stage.requests).toEqual([])
  tab.wake()
  await waitFor(() => expect(tab.session.current().session).toBe(null))
})

test('before the configuration is read nothing is concluded', async () => {
  const stage = await deviceWithWaitingUpdate()
  stage.address = { baseUrl: '', isUnknown: true }
  const tab = await stage.tab()
  expect(tab.session.caller()?.user_id).toBe('ann')
})

test('what is done before the configuration is read belongs to the server of the session', async () => {
  const stage = await deviceWithWaitingUpdate()
  const behaviour = stage.network
  stage.network = offline
  stage.address = { baseUrl: '', isUnknown: true }
  await postUpdate(await stage.tab(), 'From the train')
  stage.closeTabs()
  stage.network = behaviour
  stage.address = { baseUrl: NEW }
  const other = await stage.signedInTab('ann')
  await other.sendNow(true)
  expect(stage.storedTexts).toEqual([])
  await other.signOut('discard')
  stage.closeTabs()
  stage.address = { baseUrl: OLD }
  await stage.signedInTab('ann')
  await waitFor(() =>
    expect(stage.storedTexts.toSorted()).toEqual(['For the old server', 'From the train']),
  )
})

test('what is done while the server is left belongs to the server that was worked with', async () => {
  const stage = await deviceWithWaitingUpdate()
  const behaviour = stage.network
  stage.network = offline
  const tab = await stage.tab()
  stage.address = { baseUrl: NEW }
  await postUpdate(tab, 'At the last moment')
  stage.closeTabs()
  stage.network = behaviour
  const other = await stage.signedInTab('ann')
  await other.sendNow(true)
  await other.pullScheduler.pullAgain()
  expect(stage.storedTexts).toEqual([])
  stage.closeTabs()
  stage.address = { baseUrl: OLD }
  await stage.signedInTab('ann')
  await waitFor(() => expect(stage.storedTexts).toContain('At the last moment'))
})

test('a draft is not offered on another server, and is there again on its own one', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const key = ['ann', 'north', 'update/north-1']
  const readDraft = () =>
    stage.store.transact(['drafts'], 'readonly', (tx) => tx.get('drafts', key))
  const signedInAt = async (baseUrl: string) => {
    stage.closeTabs()
    stage.address = { baseUrl }
    return await stage.signedInTab('ann')
  }
  await signedInAt(OLD)
  await stage.store.transact(['drafts'], 'readwrite', async (tx) =>
    tx.put('drafts', key, 'They signed'),
  )
  const other = await signedInAt(NEW)
  expect(await readDraft()).toBeUndefined()
  await other.signOut('discard')
  await signedInAt(`${OLD}/`)
  expect(await readDraft()).toBe('They signed')
})
