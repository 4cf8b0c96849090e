// @vitest-environment jsdom
// A screen is left right after the last letter, before the typed text is stored.
import 'fake-indexeddb/auto'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeStoredSession } from '../../../src/sync/browser/session-storage.ts'
import { createSync, sync } from '../../../src/sync/client.ts'
import { SESSION_KEY, type StoredSession } from '../../../src/sync/core/session-store.ts'
import { useDraft } from '../../../src/sync/react/use-draft.ts'

const SIGNED_IN: StoredSession = {
  seq: 1,
  session: {
    access_token: 'access',
    refresh_token: 'refresh',
    user: { id: 'ann' },
    active_organisation: { id: 'north' },
  },
}

beforeEach(async () => {
  writeStoredSession(localStorage, SIGNED_IN)
  createSync(() => new Promise(() => undefined))
  await sync().store.transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, SIGNED_IN),
  )
})
afterEach(() => {
  cleanup()
  localStorage.clear()
})

/** The form, once it shows what is stored. */
async function open(name: string) {
  const form = renderHook(() => useDraft(name))
  await waitFor(() => expect(form.result.current.restored).not.toBe(undefined))
  return form
}

test('shows what was typed just before the screen was left', async () => {
  const form = await open('update:left')
  act(() => form.result.current.save('Half a sentence'))
  form.unmount()
  expect((await open('update:left')).result.current.restored).toBe('Half a sentence')
})

test('shows what was typed just before the page went away', async () => {
  const form = await open('update:hidden')
  act(() => form.result.current.save('Half a sentence'))
  window.dispatchEvent(new Event('pagehide'))
  // The next page is shown, which here has the same window.
  window.dispatchEvent(new Event('pageshow'))
  // A second form beside the first, whose text is not stored by leaving.
  expect((await open('update:hidden')).result.current.restored).toBe('Half a sentence')
})

test('shows nothing after a draft was cleared and the screen was left', async () => {
  const form = await open('update:cleared')
  act(() => form.result.current.save('Half a sentence'))
  act(() => form.result.current.clear())
  form.unmount()
  expect((await open('update:cleared')).result.current.restored).toBe(null)
})

test('stores nothing for a user who has signed out meanwhile', async () => {
  const form = await open('update:signed-out')
  act(() => form.result.current.save('Half a sentence'))
  await sync().store.transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, {
      seq: 2,
      session: null,
      left: { user_id: 'ann', forced: false },
    }),
  )
  form.unmount()
  expect((await open('update:signed-out')).result.current.restored).toBe(null)
})

test('stores the text of a user who was signed out by force', async () => {
  const form = await open('update:forced')
  act(() => form.result.current.save('Half a sentence'))
  await sync().store.transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, {
      seq: 2,
      session: null,
      left: { user_id: 'ann', forced: true },
    }),
  )
  form.unmount()
  expect((await open('update:forced')).result.current.restored).toBe('Half a sentence')
})
