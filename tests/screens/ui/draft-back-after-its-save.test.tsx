// @vitest-environment jsdom
// A text is submitted right after the last letter, before it is stored as a draft: the draft is there again
// after the save, or lost when the save fails, or the save waits for it.
import 'fake-indexeddb/auto'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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

/** What a save does to the draft. */
const deleteDraft = (key: string[] | undefined) =>
  sync().store.transact(['drafts'], 'strict', async (tx) => tx.delete('drafts', key ?? []))

test('a save does not wait until its text is stored as a draft', async () => {
  const { result } = await open('update:at-once')
  act(() => result.current.save('All sites are live.'))
  const transact = vi.spyOn(sync().store, 'transact')
  await act(() =>
    result.current.submit(async (key) => {
      expect(transact).not.toHaveBeenCalled()
      await deleteDraft(key)
    }),
  )
  cleanup()
  expect((await open('update:at-once')).result.current.restored).toBe(null)
})

test('no draft is left when the screen is left while its text is saved', async () => {
  const form = await open('update:left')
  const [deleted, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  act(() => form.result.current.save('All sites are live.'))
  const saved = form.result.current.submit(async (key) => {
    await deleteDraft(key)
    deleted.resolve()
    await answered.promise
  })
  await deleted.promise
  form.unmount()
  answered.resolve()
  await saved
  expect((await open('update:left')).result.current.restored).toBe(null)
})

test('a text whose save fails is a draft', async () => {
  const { result } = await open('update:failed')
  act(() => result.current.save('All sites are live.'))
  const failing = result.current.submit(() => Promise.reject(new Error('The device is full.')))
  await expect(failing).rejects.toThrow('full')
  expect((await open('update:failed')).result.current.restored).toBe('All sites are live.')
})
