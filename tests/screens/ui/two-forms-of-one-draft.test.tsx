// @vitest-environment jsdom
// Two tabs shared one draft: the first letter, the save or the discarding in one deleted what was typed in the other.
import { act, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sync } from '../../../src/sync/client.ts'
import { ALIASED_STORES, writeAlias } from '../../../src/sync/core/arrival/aliases.ts'
import { openForm, signInBeforeEach } from '../fixtures/draft-form.ts'
import { storedTexts } from '../fixtures/stored-texts.ts'

signInBeforeEach()

const post = (key: string[] | undefined) =>
  sync().store.transact(['drafts'], 'strict', async (tx) => tx.delete('drafts', key ?? []))
const expectStored = (name: string, ...texts: string[]) =>
  waitFor(async () => expect(await storedTexts(name)).toEqual(texts))

/** Both are open before anything is typed in one of them. */
async function openTwo(name: string) {
  const [one, other] = [await openForm(name), await openForm(name)]
  act(() => one.result.current.save('A long note'))
  await expectStored(name, 'A long note')
  act(() => other.result.current.save('Short'))
  await expectStored(name, 'A long note', 'Short')
  return { one, other }
}

test('what is posted in one tab leaves what was typed in the other', async () => {
  const { one, other } = await openTwo('update:posted')
  await act(() => other.result.current.submit(post))
  await expectStored('update:posted', 'A long note')
  act(() => one.result.current.save('A long note, longer'))
  await expectStored('update:posted', 'A long note, longer')
  await act(() => one.result.current.submit(post))
  await expectStored('update:posted')
})

test('what is discarded in one tab leaves what was typed in the other', async () => {
  const { other } = await openTwo('update:discarded')
  act(() => other.result.current.clear())
  await expectStored('update:discarded', 'A long note')
})

test('both texts are restored together, and then are one', async () => {
  const { one, other } = await openTwo('update:both')
  one.unmount()
  other.unmount()
  const next = await openForm('update:both')
  expect(next.result.current.restored).toBe('A long note\n\nShort')
  act(() => next.result.current.save('A long note. Short'))
  await expectStored('update:both', 'A long note. Short')
})

test('a restored text is deleted with its operation, though nothing was typed', async () => {
  const { one, other } = await openTwo('update:restored')
  one.unmount()
  other.unmount()
  const next = await openForm('update:restored')
  let left: unknown
  await act(() =>
    next.result.current.submit(async (key) => {
      await post(key)
      left = await storedTexts('update:restored')
    }),
  )
  expect(left).toEqual([])
})

test('a restored text that its tab has changed since stays there', async () => {
  const one = await openForm('update:changed')
  act(() => one.result.current.save('A long note'))
  await expectStored('update:changed', 'A long note')
  const other = await openForm('update:changed')
  act(() => one.result.current.save('A long note, longer'))
  await expectStored('update:changed', 'A long note, longer')
  await act(() => other.result.current.submit(post))
  await expectStored('update:changed', 'A long note, longer')
})

test('a restored text is replaced, though its record got another id since', async () => {
  const local = '01980000-0000-7000-8000-00000000000c'
  const one = await openForm(`update:${local}`)
  act(() => one.result.current.save('Half a'))
  one.unmount()
  const other = await openForm(`update:${local}`)
  expect(other.result.current.restored).toBe('Half a')
  const alias = { user_id: 'ann', organisation_id: 'north', table: 'success_plans', local }
  await sync().store.transact(ALIASED_STORES, 'readwrite', (tx) =>
    writeAlias(tx, { ...alias, id: '23', created_at: 0 }, {}),
  )
  act(() => other.result.current.save('Half a sentence'))
  await expectStored('update:23', 'Half a sentence')
})
