// @vitest-environment jsdom
// A screen is left right after the last letter, before the typed text is stored.
import 'fake-indexeddb/auto'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  UNLOADED_DRAFTS_KEY,
  writeStoredSession,
} from '../../../src/sync/browser/session-storage.ts'
import { createSync, sync } from '../../../src/sync/client.ts'
import { SESSION_KEY, type StoredSession } from '../../../src/sync/core/session-store.ts'
import { draftKey, saveDraft } from '../../../src/sync/react/drafts.ts'
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

test('shows both texts of a page that went away when the browser dropped its transactions', async () => {
  const forms = [await open('update:dropped'), await open('action:dropped')]
  forms.forEach((form, n) => act(() => form.result.current.save(`Half a sentence ${n}`)))
  const dropped = vi
    .spyOn(sync().store, 'keyval')
    .mockReturnValue(() => new Promise(() => undefined))
  window.dispatchEvent(new Event('pagehide'))
  window.dispatchEvent(new Event('pageshow'))
  dropped.mockRestore()
  for (const [n, name] of ['update:dropped', 'action:dropped'].entries())
    expect((await open(name)).result.current.restored).toBe(`Half a sentence ${n}`)
  expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toBe(null)
})

test('shows what another tab stored after the page went away', async () => {
  const form = await open('update:two-tabs')
  act(() => form.result.current.save('Older'))
  window.dispatchEvent(new Event('pagehide'))
  window.dispatchEvent(new Event('pageshow'))
  await saveDraft(draftKey('update:two-tabs') ?? [], 'Newer')
  expect((await open('update:two-tabs')).result.current.restored).toBe('Newer')
})

test.for(['null', '{}', '[1,{}]', '[['])('ignores %s in place of drafts', async (stored) => {
  await saveDraft(draftKey('update:odd') ?? [], 'Typed')
  localStorage.setItem(UNLOADED_DRAFTS_KEY, stored)
  expect((await open('update:odd')).result.current.restored).toBe('Typed')
})

test('keeps no text of a page that went away when its user signs out', async () => {
  const form = await open('update:out')
  act(() => form.result.current.save('Half a sentence'))
  window.dispatchEvent(new Event('pagehide'))
  window.dispatchEvent(new Event('pageshow'))
  expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toContain('Half a sentence')
  writeStoredSession(localStorage, { seq: 2, session: null })
  expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toBe(null)
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
