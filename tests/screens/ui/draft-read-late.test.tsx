// @vitest-environment jsdom
// The storage is slow after a start: a stored draft is read late, and was replaced by the first word typed before.
import { act } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { updateInFront } from '../../../src/features/success-plans/updates/update-draft.ts'
import { sync } from '../../../src/sync/client.ts'
import { draftKey, saveDraft } from '../../../src/sync/react/drafts.ts'
import { formInFront } from '../../../src/widgets/editing/form-fields.ts'
import { openForm, signInBeforeEach } from '../fixtures/draft-form.ts'
import { storedTexts } from '../fixtures/stored-texts.ts'

signInBeforeEach()

/** A form whose draft, "Half a sentence", is read when `answer` is called. */
async function openWhileStorageHangs(name: string) {
  const key = draftKey(name) ?? []
  await saveDraft(key, 'Half a sentence')
  const { store } = sync()
  const transact = store.transact.bind(store)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const hanging = vi.spyOn(store, 'transact').mockImplementationOnce(async (...call) => {
    const answer = await transact(...call)
    await held
    return answer
  })
  const form = await openForm(name)
  hanging.mockRestore()
  expect(form.result.current.restored).toBe(null)
  const answer = () =>
    act(async () => {
      release()
      await store.transact(['drafts'], 'readonly', (tx) => tx.keys('drafts', []))
    })
  return { ...form, answer }
}
const post = (key: string[] | undefined) =>
  sync().store.transact(['drafts'], 'strict', async (tx) => tx.delete('drafts', key ?? []))

test('restores a draft that is read late, as long as nothing was typed', async () => {
  const { result, answer } = await openWhileStorageHangs('update:late')
  await answer()
  expect(result.current.restored).toBe('Half a sentence')
})

test('keeps what is typed before a draft is read, and the draft in front of it', async () => {
  const { result, answer, unmount } = await openWhileStorageHangs('update:typed')
  act(() => result.current.save('Newer'))
  await answer()
  expect(result.current.restored).toBe(null)
  act(() => result.current.save('Newer text'))
  unmount()
  const next = await openForm('update:typed')
  expect(next.result.current.restored).toBe('Half a sentence\n\nNewer text')
})

test('stores what is typed before a draft is read', async () => {
  const { result, unmount } = await openWhileStorageHangs('update:at-once')
  act(() => result.current.save('Newer'))
  unmount()
  expect(await storedTexts('update:at-once')).toEqual(['Half a sentence', 'Newer'])
})

test('keeps the draft once what was typed before it was read is saved or dropped', async () => {
  const { result, answer, unmount } = await openWhileStorageHangs('update:saved')
  act(() => result.current.save('Newer'))
  await answer()
  await act(() => result.current.submit(post))
  expect(await storedTexts('update:saved')).toEqual(['Half a sentence'])
  act(() => result.current.save('More'))
  act(() => result.current.clear())
  unmount()
  expect(await storedTexts('update:saved')).toEqual(['Half a sentence'])
})

test('keeps a draft that is read while the form is saved', async () => {
  const { result, answer, unmount } = await openWhileStorageHangs('update:meanwhile')
  await act(() =>
    result.current.submit(async (key) => {
      await post(key)
      await answer()
    }),
  )
  unmount()
  expect(await storedTexts('update:meanwhile')).toEqual(['Half a sentence'])
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
