// @vitest-environment jsdom
// A screen is left right after the last letter, before the typed text is stored.
import { act } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  UNLOADED_DRAFTS_KEY,
  writeStoredSession,
} from '../../../src/sync/browser/session-storage.ts'
import { sync } from '../../../src/sync/client.ts'
import { SESSION_KEY } from '../../../src/sync/core/session-store.ts'
import { draftKey, saveDraft } from '../../../src/sync/react/drafts.ts'
import { openForm, signInBeforeEach } from '../fixtures/draft-form.ts'

signInBeforeEach()

test('shows what was typed just before the screen was left', async () => {
  const form = await openForm('update:left')
  act(() => form.result.current.save('Half a sentence'))
  form.unmount()
  expect((await openForm('update:left')).result.current.restored).toBe('Half a sentence')
})

test('shows what was typed just before the page went away', async () => {
  const form = await openForm('update:hidden')
  act(() => form.result.current.save('Half a sentence'))
  window.dispatchEvent(new Event('pagehide'))
  // The next page is shown, which here has the same window.
  window.dispatchEvent(new Event('pageshow'))
  // A second form beside the first, whose text is not stored by leaving.
  expect((await openForm('update:hidden')).result.current.restored).toBe('Half a sentence')
})

test('shows both texts of a page that went away when the browser dropped its transactions', async () => {
  const forms = [await openForm('update:dropped'), await openForm('action:dropped')]
  forms.forEach((form, n) => act(() => form.result.current.save(`Half a sentence ${n}`)))
  const dropped = vi
    .spyOn(sync().store, 'keyval')
    .mockReturnValue(() => new Promise(() => undefined))
  window.dispatchEvent(new Event('pagehide'))
  window.dispatchEvent(new Event('pageshow'))
  dropped.mockRestore()
  for (const [n, name] of ['update:dropped', 'action:dropped'].entries())
    expect((await openForm(name)).result.current.restored).toBe(`Half a sentence ${n}`)
  expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toBe(null)
})

test('shows what another tab stored after the page went away', async () => {
  const form = await openForm('update:two-tabs')
  act(() => form.result.current.save('Older'))
  window.dispatchEvent(new Event('pagehide'))
  window.dispatchEvent(new Event('pageshow'))
  await saveDraft(draftKey('update:two-tabs') ?? [], 'Newer')
  expect((await openForm('update:two-tabs')).result.current.restored).toBe('Newer')
})

test.for(['null', '{}', '[1,{}]', '[['])('ignores %s in place of drafts', async (stored) => {
  await saveDraft(draftKey('update:odd') ?? [], 'Typed')
  localStorage.setItem(UNLOADED_DRAFTS_KEY, stored)
  expect((await openForm('update:odd')).result.current.restored).toBe('Typed')
})

test('keeps no text of a page that went away when its user signs out', async () => {
  const form = await openForm('update:out')
  act(() => form.result.current.save('Half a sentence'))
  window.dispatchEvent(new Event('pagehide'))
  window.dispatchEvent(new Event('pageshow'))
  expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toContain('Half a sentence')
  writeStoredSession(localStorage, { seq: 2, session: null })
  expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toBe(null)
})

test('shows nothing after a draft was cleared and the screen was left', async () => {
  const form = await openForm('update:cleared')
  act(() => form.result.current.save('Half a sentence'))
  act(() => form.result.current.clear())
  form.unmount()
  expect((await openForm('update:cleared')).result.current.restored).toBe(null)
})

test('stores nothing for a user who has signed out meanwhile', async () => {
  const form = await openForm('update:signed-out')
  act(() => form.result.current.save('Half a sentence'))
  await sync().store.transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, {
      seq: 2,
      session: null,
      left: { user_id: 'ann', forced: false },
    }),
  )
  form.unmount()
  expect((await openForm('update:signed-out')).result.current.restored).toBe(null)
})

test('stores the text of a user who was signed out by force', async () => {
  const form = await openForm('update:forced')
  act(() => form.result.current.save('Half a sentence'))
  await sync().store.transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, {
      seq: 2,
      session: null,
      left: { user_id: 'ann', forced: true },
    }),
  )
  form.unmount()
  expect((await openForm('update:forced')).result.current.restored).toBe('Half a sentence')
})
