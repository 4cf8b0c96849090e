// @vitest-environment jsdom
// A form that corrected a rejected edit replaced it as a whole, with what the form does not show.
import { cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import { editRecord } from '../../../src/data/change-records.ts'
import { useRejectedEdit } from '../../../src/data/operations/pending-edits.ts'
import { sync } from '../../../src/sync/client.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'
import { emptyOutbox, openOffline, rejectOperation } from '../fixtures/offline-client.ts'

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const FORM = { tier: '', arr: '' }

async function rejected(body: object) {
  const { id } = await sync().enqueue(endpoints.updateAccount, { path: { id: 'north' }, body })
  await rejectOperation(id)
  const { result } = renderHook(() => useRejectedEdit('accounts', 'north', FORM))
  await waitFor(() => expect(sync().operations.get()[0]?.state).toBe('attention'))
  return { id, found: () => result.current?.id }
}

test('a form corrects a rejected edit of its own fields', async () => {
  const { id, found } = await rejected({ arr: 5 })
  await waitFor(() => expect(found()).toBe(id))
})

test('a form leaves a rejected edit alone that sets more than the form does', async () => {
  const { found } = await rejected({ arr: 5, contacts: [] })
  expect(found()).toBe(undefined)
})

test('a form in which all that was rejected is put back leaves nothing that needs attention', async () => {
  const { id } = await rejected({ arr: 5 })
  const [operation] = sync().operations.get()
  expect(operation?.id).toBe(id)
  await editRecord('accounts', accountWith({ id: 'north' }), {}, { rejected: operation })
  await waitFor(() => expect(sync().operations.get()).toEqual([]))
})

test('when another tab sends the rejected edit again, an edit behind it restores the values', async () => {
  const { id } = await rejected({ arr: 5 })
  const [operation] = sync().operations.get()
  await sync().outbox.resend(id)
  await (await sync().engine()).outbox.claim([id])
  const record = accountWith({ id: 'north', arr: 3 })
  await editRecord('accounts', record, {}, { rejected: operation })
  const bodies = sync()
    .operations.get()
    .map(({ input }) => input.body)
  expect(bodies).toEqual([{ arr: 5 }, { arr: 3 }])
})

test('when another tab has discarded the rejected edit, nothing is queued', async () => {
  const { id } = await rejected({ arr: 5 })
  const [operation] = sync().operations.get()
  await sync().outbox.discard(id)
  await editRecord('accounts', accountWith({ id: 'north' }), {}, { rejected: operation })
  expect(sync().operations.get()).toEqual([])
})
