// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useDraft } from '../../../src/sync/react/use-draft.ts'

const drafts = vi.hoisted(() => ({
  answers: [] as ((text: string | undefined) => void)[],
  kept: [] as string[],
}))
vi.mock('../../../src/sync/react/drafts.ts', () => ({
  draftKey: (name: string) => [name],
  loadDraft: () => new Promise((answer) => drafts.answers.push(answer)),
  saveDraft: (_: string[], text: string) => Promise.resolve(drafts.kept.push(text)),
  saveDraftOnUnload: () => Promise.resolve(),
}))

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

async function openWhileStorageHangs() {
  vi.useFakeTimers()
  const { result } = renderHook(() => useDraft('update:a'))
  expect(result.current.restored).toBe(undefined)
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(result.current.restored).toBe(null)
  const answer = async (text: string) =>
    act(async () => {
      drafts.answers.at(-1)?.(text)
      await vi.advanceTimersByTimeAsync(1_000)
    })
  return { result, answer }
}

test('restores a draft that is read late, as long as nothing was typed', async () => {
  const { result, answer } = await openWhileStorageHangs()
  await answer('Half a sentence')
  expect(result.current.restored).toBe('Half a sentence')
})

test('keeps typed text when an older draft is read late', async () => {
  const { result, answer } = await openWhileStorageHangs()
  act(() => result.current.save('Newer'))
  await answer('Half a sentence')
  expect(result.current.restored).toBe(null)
  expect(drafts.kept).toEqual(['Newer'])
})
