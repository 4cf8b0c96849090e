// @vitest-environment jsdom
// A screen is left right after the last letter, before the typed text is stored, or the device has no room for it.
import { act, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import {
  UNLOADED_DRAFTS_KEY,
  writeStoredSession,
} from '../../../src/sync/browser/session-storage.ts'
import { sync } from '../../../src/sync/client.ts'
import { StorageFullError } from '../../../src/sync/core/ports.ts'
import { SESSION_KEY } from '../../../src/sync/core/session-store.ts'
import { draftKey, saveDraft } from '../../../src/sync/react/drafts.ts'
import { openForm, signInBeforeEach } from '../fixtures/draft-form.ts'
import { storedTexts } from '../fixtures/stored-texts.ts'

signInBeforeEach()

function pageGoesAway() {
  window.dispatchEvent(new Event('pagehide'))
  // The next page is shown, which here has the same window.
  window.dispatchEvent(new Event('pageshow'))
}

test('shows what was typed just before the screen was left', async () => {
  const form = await openForm('update:left')
  act(() => form.result.current.save('Half a sentence'))
  form.unmount()
  expect((await openForm('update:left')).result.current.restored).toBe('Half a sentence')
})

test('shows what was typed just before the page went away', async () => {
  const form = await openForm('update:hidden')
  act(() => form.result.current.save('Half a sentence'))
  pageGoesAway()
  // A second form beside the first, whose text is not stored by leaving.
  expect((await openForm('update:hidden')).result.current.restored).toBe('Half a sentence')
})

test('shows both texts of a page that went away when the browser dropped its transactions', async () => {
  const forms = [await openForm('update:dropped'), await openForm('action:dropped')]
  forms.forEach((form, n) => act(() => form.result.current.save(`Half a sentence ${n}`)))
  const dropped = vi
    .spyOn(sync().store, 'keyval')
    .mockReturnValue(() => new Promise(() => undefined))
  pageGoesAway()
  dropped.mockRestore()
  for (const [n, name] of ['update:dropped', 'action:dropped'].entries())
    expect((await openForm(name)).result.current.restored).toBe(`Half a sentence ${n}`)
  expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toBe(null)
})

test('shows what another tab made of it after the page went away', async () => {
  const form = await openForm('update:two-tabs')
  act(() => form.result.current.save('Older'))
  pageGoesAway()
  const other = await openForm('update:two-tabs')
  expect(other.result.current.restored).toBe('Older')
  act(() => other.result.current.save('Newer'))
  other.unmount()
  expect((await openForm('update:two-tabs')).result.current.restored).toBe('Newer')
})

test('shows a restored text once when the page went away right after it was changed', async () => {
  await saveDraft(draftKey('update:changed') ?? [], 'Half a')
  const form = await openForm('update:changed')
  act(() => form.result.current.save('Half a sentence'))
  pageGoesAway()
  expect((await openForm('update:changed')).result.current.restored).toBe('Half a sentence')
})

describe('on a full device', () => {
  /** Refuses what is written to the database, as long as it is full. */
  function fillDevice({ hasReserve = false } = {}) {
    const { store } = sync()
    const transact = store.transact.bind(store)
    let isFull = true
    const full = vi.spyOn(store, 'transact').mockImplementation(async (tables, mode, work) => {
      if (mode !== 'readonly' && tables.includes('cache') && hasReserve) isFull = false
      if (isFull && mode !== 'readonly') throw new StorageFullError('Storage is full.')
      return await transact(tables, mode, work)
    })
    const keyval = vi.spyOn(store, 'keyval').mockReturnValue(() => Promise.reject(new Error()))
    return () => [full, keyval].forEach((one) => one.mockRestore())
  }

  test('stores what is typed in the place of the reserve', async () => {
    const form = await openForm('update:reserve')
    const empty = fillDevice({ hasReserve: true })
    act(() => form.result.current.save('Half a sentence'))
    form.unmount()
    await waitFor(() => expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toBe(null))
    await waitFor(async () =>
      expect(await storedTexts('update:reserve')).toEqual(['Half a sentence']),
    )
    empty()
  })

  test('shows what was typed before the screen was left, and once there is room', async () => {
    await saveDraft(draftKey('update:full') ?? [], 'Half a')
    const form = await openForm('update:full')
    const empty = fillDevice()
    act(() => form.result.current.save('Half a sentence'))
    form.unmount()
    await waitFor(() => expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toContain('sentence'))
    const next = await openForm('update:full')
    expect(next.result.current.restored).toBe('Half a sentence')
    act(() => next.result.current.save('Half a sentence and'))
    next.unmount()
    await waitFor(() => expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toContain('and'))
    expect(await storedTexts('update:full')).toEqual(['Half a sentence and'])
    empty()
    expect(await storedTexts('update:full')).toEqual(['Half a sentence and'])
    expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toBe(null)
  })

  test('stores what could not be stored with the next text', async () => {
    const { result } = await openForm('update:next')
    const empty = fillDevice()
    act(() => result.current.save('Half a'))
    await waitFor(() => expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toContain('Half a'))
    empty()
    act(() => result.current.save('Half a sentence'))
    await waitFor(() => expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toBe(null))
    expect(await storedTexts('update:next')).toEqual(['Half a sentence'])
  })

  test('stores an older text neither over a newer one nor after it was posted', async () => {
    const { result } = await openForm('update:older')
    const empty = fillDevice()
    act(() => result.current.save('Older'))
    act(() => result.current.clear())
    empty()
    act(() => result.current.save('Newer'))
    await act(() =>
      result.current.submit((key) =>
        sync().store.transact(['drafts'], 'strict', async (tx) => tx.delete('drafts', key ?? [])),
      ),
    )
    await waitFor(() => expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toBe(null))
    await waitFor(async () => expect(await storedTexts('update:older')).toEqual([]))
  })

  test('keeps no copy for a user who has signed out meanwhile', async () => {
    const form = await openForm('update:gone')
    const empty = fillDevice()
    act(() => form.result.current.save('Half a sentence'))
    sync().storedSession.set({ seq: 2, session: null })
    form.unmount()
    await act(() => new Promise((resolve) => setTimeout(resolve)))
    expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toBe(null)
    empty()
  })
})

test.for(['null', '{}', '[1,{}]', '[['])('ignores %s in place of drafts', async (stored) => {
  await saveDraft(draftKey('update:odd') ?? [], 'Typed')
  localStorage.setItem(UNLOADED_DRAFTS_KEY, stored)
  expect((await openForm('update:odd')).result.current.restored).toBe('Typed')
})

test('keeps no text of a page that went away when its user signs out', async () => {
  const form = await openForm('update:out')
  act(() => form.result.current.save('Half a sentence'))
  pageGoesAway()
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
