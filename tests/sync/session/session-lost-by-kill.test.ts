import { expect, test } from 'vitest'
import { readStoredSession, writeStoredSession } from '../../../src/sync/browser/session-storage.ts'
import { SessionManager } from '../../../src/sync/core/session.ts'
import type { Session } from '../../../src/sync/core/session-store.ts'
import { EngineFixture } from '../engine-fixture.ts'

const session = (refresh_token: string): Session => ({
  access_token: `access of ${refresh_token}`,
  refresh_token,
  user: { id: 'ann' },
  active_organisation: null,
})

const keeper = (stage: EngineFixture) =>
  new SessionManager(stage.ports(), async () => ({ result: 'unreachable' }))

/** The part of localStorage that the session's keys use. */
function storage(): Storage {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  } as Storage
}

test('prefers the newer refresh token to one restored by a kill', async () => {
  const stage = new EngineFixture()
  const before = keeper(stage)
  await before.signIn(session('first'))
  const local = before.current()
  await before.signIn(session('second'))
  const after = await keeper(stage).start(local)
  expect(after.session?.refresh_token).toBe('second')
})

test('copies a newer session from localStorage to IndexedDB', async () => {
  const stage = new EngineFixture()
  const before = keeper(stage)
  await before.signIn(session('first'))
  await keeper(stage).start({ seq: 7, session: session('second') })
  const worker = await keeper(stage).start({ seq: 0, session: null })
  expect(worker.session?.refresh_token).toBe('second')
})

test('does not restore tokens of an older session after sign-out', () => {
  const local = storage()
  writeStoredSession(local, { seq: 5, session: session('first') })
  writeStoredSession(local, { seq: 6, session: null })
  writeStoredSession(local, { seq: 5, session: session('first') })
  expect(readStoredSession(local)).toEqual({ seq: 6, session: null })
})
