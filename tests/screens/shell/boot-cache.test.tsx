// @vitest-environment jsdom
// The next start paints nothing, what another user saw, or data that a sign-out should have removed.
import { renderHook, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sync } from '../../../src/sync/client.ts'
import {
  clearBootCache,
  restoreBootCache,
  saveBootSnapshot,
  SCREEN_SNAPSHOT_KEY,
  useBootSnapshot,
} from '../../../src/sync/react/boot-cache.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { ANN, openOffline } from '../fixtures/offline-client.ts'

const STORED = 'first_screen'

beforeAll(openOffline)
beforeEach(() => {
  queryClient.clear()
  localStorage.removeItem(STORED)
})

const shown = (name: string) =>
  renderHook(() => useBootSnapshot<string[]>(name), { wrapper: QueryProvider }).result.current
const signedInAs = (session: typeof ANN | null) => sync().storedSession.set({ seq: 9, session })

/** As after a reload: what is in memory is gone. */
async function reload() {
  await waitFor(() => expect(localStorage.getItem(STORED)).not.toBe(null))
  queryClient.clear()
  restoreBootCache()
}

test('a start shows what a screen showed last', async () => {
  expect(shown('plans')).toBeUndefined()
  saveBootSnapshot('plans', ['Pilot'])
  await reload()
  expect(shown('plans')).toEqual(['Pilot'])
  expect(shown('accounts')).toBeUndefined()
})

test('a start of another user, or in another organisation, does not show it', async () => {
  saveBootSnapshot('plans', ['Pilot'])
  await reload()
  signedInAs({ ...ANN, user: { id: 'ben', name: 'Ben' } })
  expect(shown('plans')).toBeUndefined()
  signedInAs({ ...ANN, active_organisation: { id: 'south' } })
  expect(shown('plans')).toBeUndefined()
  signedInAs(ANN)
  expect(shown('plans')).toEqual(['Pilot'])
})

test('nothing else of the query cache is stored', async () => {
  queryClient.setQueryData(['ann', 'north', 'collection', 'accounts'], [{ name: 'Secret' }])
  saveBootSnapshot('plans', ['Pilot'])
  await waitFor(() => expect(localStorage.getItem(STORED)).toContain('Pilot'))
  expect(localStorage.getItem(STORED)).not.toContain('Secret')
})

test('nothing is stored while signed out', async () => {
  signedInAs(null)
  saveBootSnapshot('plans', ['Pilot'])
  signedInAs(ANN)
  saveBootSnapshot('accounts', ['Northwind'])
  await waitFor(() => expect(localStorage.getItem(STORED)).toContain('Northwind'))
  expect(localStorage.getItem(STORED)).not.toContain('Pilot')
})

test('clearing removes the snapshots, also one that is being written', async () => {
  localStorage.setItem(SCREEN_SNAPSHOT_KEY, '{}')
  saveBootSnapshot('plans', ['Pilot'])
  await waitFor(() => expect(localStorage.getItem(STORED)).not.toBe(null))
  saveBootSnapshot('plans', ['Pilot', 'Renewal'])
  clearBootCache()
  expect(localStorage.getItem(SCREEN_SNAPSHOT_KEY)).toBe(null)
  // The write of the second snapshot was already scheduled, and so was its removal.
  await new Promise((resolve) => setTimeout(resolve))
  await new Promise((resolve) => setTimeout(resolve))
  expect(localStorage.getItem(STORED)).toBe(null)
})

test('a malformed snapshot is dropped', () => {
  localStorage.setItem(STORED, '{"clientState":')
  expect(restoreBootCache).not.toThrow()
  expect(localStorage.getItem(STORED)).toBe(null)
  expect(shown('plans')).toBeUndefined()
})
