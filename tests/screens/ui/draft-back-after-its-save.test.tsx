// @vitest-environment jsdom
// A text is submitted right after the last letter: the draft is there again after the save, or lost when the
// save fails, or "Saved" waits for more than the save.
import { act } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sync } from '../../../src/sync/client.ts'
import { openForm, signInBeforeEach } from '../fixtures/draft-form.ts'

signInBeforeEach()

/** What a save does to the draft. */
const deleteDraft = (key: string[] | undefined) =>
  sync().store.transact(['drafts'], 'strict', async (tx) => tx.delete('drafts', key ?? []))

test('no draft is left when the page goes away while its text is saved', async () => {
  const { result } = await openForm('update:gone')
  act(() => result.current.save('All sites are live.'))
  const gone = Promise.withResolvers<void>()
  void result.current.submit(async (key) => {
    await deleteDraft(key)
    window.dispatchEvent(new Event('pagehide'))
    gone.resolve()
    await new Promise(() => undefined)
  })
  await gone.promise
  window.dispatchEvent(new Event('pageshow'))
  expect((await openForm('update:gone')).result.current.restored).toBe(null)
})

test('the screen shows that a text is saved before anything else is written', async () => {
  const { result } = await openForm('update:at-once')
  act(() => result.current.save('All sites are live.'))
  const transact = vi.spyOn(sync().store, 'transact')
  await act(() => result.current.submit(deleteDraft))
  const written = transact.mock.calls.map(([, mode]) => mode)
  expect(written).toEqual(['readwrite', 'strict'])
})

test('a text is saved while its draft is still being stored', async () => {
  const { result } = await openForm('update:both')
  act(() => result.current.save('All sites are live.'))
  const { store } = sync()
  const [stored, saving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transact = store.transact.bind(store)
  vi.spyOn(store, 'transact').mockImplementationOnce(async (...call) => {
    const answer = await transact(...call)
    await stored.promise
    return answer
  })
  const saved = result.current.submit(async (key) => {
    await deleteDraft(key)
    saving.resolve()
  })
  await saving.promise
  stored.resolve()
  await saved
  expect((await openForm('update:both')).result.current.restored).toBe(null)
})

test('a page that goes away before a text is saved leaves its draft', async () => {
  const { result } = await openForm('update:unsaved')
  act(() => result.current.save('All sites are live.'))
  const saving = result.current.submit((key) =>
    sync().store.transact(['drafts'], 'strict', async (tx) => {
      tx.delete('drafts', key ?? [])
      window.dispatchEvent(new Event('pagehide'))
    }),
  )
  await expect(saving).rejects.toThrow()
  window.dispatchEvent(new Event('pageshow'))
  const reopened = await openForm('update:unsaved')
  expect(reopened.result.current.restored).toBe('All sites are live.')
})

test('no draft is left when the screen is left while its text is saved', async () => {
  const form = await openForm('update:left')
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
  expect((await openForm('update:left')).result.current.restored).toBe(null)
})

test('a text whose save fails is a draft', async () => {
  const { result } = await openForm('update:failed')
  act(() => result.current.save('All sites are live.'))
  const failing = result.current.submit(() => Promise.reject(new Error('The device is full.')))
  await expect(failing).rejects.toThrow('full')
  expect((await openForm('update:failed')).result.current.restored).toBe('All sites are live.')
})

test('what was typed while a text was saved is written as soon as that is done', async () => {
  const { result } = await openForm('update:next')
  const [begun, saving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const saved = result.current.submit(async () => {
    begun.resolve()
    await saving.promise
  })
  await begun.promise
  act(() => result.current.save('The next one'))
  const transact = vi.spyOn(sync().store, 'transact')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  saving.resolve()
  await saved
  // No time has passed.
  expect(transact).toHaveBeenCalledOnce()
  vi.useRealTimers()
  expect((await openForm('update:next')).result.current.restored).toBe('The next one')
})

test('a text is written when its author pauses, not with each letter', async () => {
  const { result } = await openForm('update:letters')
  const transact = vi.spyOn(sync().store, 'transact')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const text of ['A', 'Al', 'All']) {
    act(() => result.current.save(text))
    vi.advanceTimersByTime(200)
  }
  expect(transact).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(transact).toHaveBeenCalledOnce()
})
