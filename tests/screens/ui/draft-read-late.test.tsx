// @vitest-environment jsdom
// The storage is slow after a start: a stored draft is read late, and was replaced by the first word typed before.
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { updateInFront } from '../../../src/features/success-plans/updates/update-draft.ts'
import { useDraft } from '../../../src/sync/react/use-draft.ts'
import { formInFront } from '../../../src/widgets/editing/form-fields.ts'

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
  drafts.kept.length = 0
  vi.useRealTimers()
})

async function openWhileStorageHangs() {
  vi.useFakeTimers()
  const { result } = renderHook(() => useDraft('update:a'))
  expect(result.current.restored).toBe(undefined)
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(result.current.restored).toBe(null)
  const answer = async (text: string | undefined) =>
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

test('keeps what is typed before a draft is read, and the draft in front of it', async () => {
  const { result, answer } = await openWhileStorageHangs()
  act(() => result.current.save('Newer'))
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(drafts.kept).toEqual([])
  await answer('Half a sentence')
  expect(result.current.restored).toBe(null)
  expect(drafts.kept).toEqual(['Half a sentence\n\nNewer'])
  act(() => result.current.save('Newer text'))
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(drafts.kept.at(-1)).toBe('Half a sentence\n\nNewer text')
})

test('keeps the draft once what was typed before it was read is saved or dropped', async () => {
  const { result, answer } = await openWhileStorageHangs()
  act(() => result.current.save('Newer'))
  await answer('Half a sentence')
  await act(async () => {
    await result.current.submit(() => Promise.resolve())
    await vi.advanceTimersByTimeAsync(1_000)
  })
  expect(drafts.kept.at(-1)).toBe('Half a sentence')
  act(() => result.current.save('More'))
  act(() => result.current.clear())
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(drafts.kept.at(-1)).toBe('Half a sentence')
})

test('stores nothing over a draft that is read while what was typed is saved', async () => {
  const { result, answer } = await openWhileStorageHangs()
  act(() => result.current.save('Newer'))
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const saved = act(() => result.current.submit(() => held))
  await answer('Half a sentence')
  expect(drafts.kept).toEqual([])
  release()
  await saved
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(drafts.kept).toEqual(['Half a sentence'])
})

test('stores what was typed once it is known that there is no draft', async () => {
  const { result, answer } = await openWhileStorageHangs()
  act(() => result.current.save('Newer'))
  cleanup()
  expect(drafts.kept).toEqual([])
  await answer(undefined)
  expect(drafts.kept).toEqual(['Newer'])
})

test('a form keeps the fields of its draft that were not typed in, and an update its choices', () => {
  const late = { typed: { title: 'A', notes: 'B' }, seen: { title: 'a', version: 3 }, new_id: '1' }
  const typed = { typed: { title: 'C' }, seen: { title: 'x', version: 5 }, new_id: '2' }
  expect(JSON.parse(formInFront(JSON.stringify(late), JSON.stringify(typed)))).toEqual({
    typed: { title: 'C', notes: 'B' },
    seen: { title: 'a', version: 3 },
    new_id: '1',
  })
  const update = updateInFront('{"body":"Half","health":"at-risk"}', '{"body":"Word"}')
  expect(JSON.parse(update)).toEqual({ body: 'Half\n\nWord', health: 'at-risk' })
})
