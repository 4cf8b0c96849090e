// @vitest-environment jsdom
// The page's copy of the session is lost, older than the stored one, or belongs to another user.
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { IndexedDbStore } from '../../../src/sync/browser/indexeddb-store.ts'
import { writeStoredSession } from '../../../src/sync/browser/session-storage.ts'
import { CallError, createSync, sync } from '../../../src/sync/client.ts'
import { SESSION_KEY, type StoredSession } from '../../../src/sync/core/session-store.ts'
import { ANN, openOffline } from '../fixtures/offline-client.ts'

const BEN = { ...ANN, user: { id: 'ben', name: 'Ben' } }

const store = (stored: StoredSession) =>
  new IndexedDbStore().transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, stored),
  )

describe('before the engine is loaded', () => {
  beforeEach(() => void createSync(() => new Promise(() => undefined)))

  test('a session that only IndexedDB has is restored', async () => {
    await store({ seq: 5, session: ANN })
    sync().storedSession.set({ seq: 0, session: null })
    await sync().restoreSession()
    expect(sync().session.current()?.user.id).toBe('ann')
  })

  test('the session with the higher number is the current one', async () => {
    await store({ seq: 5, session: BEN })
    sync().storedSession.set({ seq: 4, session: ANN })
    await sync().restoreSession()
    expect(sync().session.current()?.user.id).toBe('ben')
    sync().storedSession.set({ seq: 6, session: ANN })
    await sync().restoreSession()
    expect(sync().session.current()?.user.id).toBe('ann')
  })

  test('a tab that is behind does not write its tokens over a sign-out', () => {
    writeStoredSession(localStorage, { seq: 50, session: null })
    writeStoredSession(localStorage, { seq: 49, session: ANN })
    expect(localStorage.getItem('access_token')).toBe(null)
    writeStoredSession(localStorage, { seq: 51, session: ANN })
    expect(localStorage.getItem('access_token')).toBe(ANN.access_token)
    localStorage.clear()
  })
})

describe('with the engine', () => {
  beforeAll(async () => {
    await store({ seq: 1, session: ANN })
    await openOffline()
  })

  test('choosing an organisation makes it the active one, and none clears it', async () => {
    await sync().chooseOrganisation({ id: 'south', name: 'South' })
    expect(sync().session.current()?.active_organisation).toEqual({ id: 'south', name: 'South' })
    await sync().chooseOrganisation(null)
    expect(sync().session.current()?.active_organisation).toBe(null)
  })

  test('the organisation that was chosen is the one that is pulled at once', async () => {
    const engine = await sync().engine()
    const woken: unknown[] = []
    const wake = vi
      .spyOn(engine, 'wake')
      .mockImplementation(() => void woken.push(engine.session.caller()?.organisation_id))
    await sync().chooseOrganisation({ id: 'west' })
    wake.mockRestore()
    expect(woken).toEqual(['west'])
  })

  test('newer data of an organisation that was left meanwhile does not make it active again', async () => {
    await sync().chooseOrganisation({ id: 'south' })
    await sync().update('ann', { active_organisation: { id: 'north', name: 'Late' } })
    expect(sync().session.current()?.active_organisation).toEqual({ id: 'south' })
    await sync().update('ann', { active_organisation: { id: 'south', name: 'Renamed' } })
    expect(sync().session.current()?.active_organisation?.name).toBe('Renamed')
  })

  test('a read that began before the last change does not undo it', async () => {
    const update = (name: string, begun?: number) =>
      sync().update('ann', { user: { id: 'ann', name } }, begun)
    const [first, second] = [sync().begin(), sync().begin()]
    await update('Changed')
    await update('Read before the change', second)
    expect(sync().session.current()?.user.name).toBe('Changed')
    const [third, fourth] = [sync().begin(), sync().begin()]
    await update('Read last', fourth)
    await update('Read before it', third)
    expect(sync().session.current()?.user.name).toBe('Read last')
    // The organisation is another value.
    await sync().chooseOrganisation({ id: 'north' })
    await sync().update('ann', { active_organisation: { id: 'north', name: 'North' } }, first)
    expect(sync().session.current()?.active_organisation?.name).toBe('North')
    await sync().update('ann', { user: ANN.user })
  })

  test('newer data of a user who signed out meanwhile is dropped', async () => {
    await sync().update('ben', { user: { id: 'ben', name: 'Late' } })
    expect(sync().session.current()?.user).toEqual(ANN.user)
  })

  test('a call without a network fails as unreachable, without a message of a server', async () => {
    const failure = await sync()
      .callByName('getUserinfo', {})
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CallError)
    expect(failure).toMatchObject({
      kind: 'unreachable',
      message: '',
      status: undefined,
      errors: {},
    })
    await expect(sync().callByName('noSuchCall', {})).rejects.toThrow('Not a call of the contract.')
  })
})
