// The lock of a replay was taken from a tab that thaws later: both are told that the record has changed, and the
// second answer undoes what the first has led to.
import { expect, test } from 'vitest'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { Keyed } from '../../../src/sync/core/replay/keyed.ts'
import { EngineFixture } from '../engine-fixture.ts'

const seen = { id: 'north-1', version: 1, title: 'Old', description: '' }
const path = { id: seen.id }

/** A device with what is enqueued of that record, and what each of its contexts does with a 412. */
async function deviceWith(endpoint: string, input: object) {
  const stage = new EngineFixture()
  const ports = stage.ports()
  const { http, outbox } = stage.engine()
  const author = { user_id: 'ann', organisation_id: 'north' }
  const { id } = await outbox.enqueue({ endpoint, input, seen, ...author })
  const [sent] = await outbox.claim([id])
  if (!sent) throw new Error('It is not sent.')
  const answer = async (operation: Operation, data: object, changed_by: object) =>
    await new Keyed({ ports, outbox, http }).after(operation, {
      kind: 'refused',
      error: { status: 412, message: '' },
      data,
      changed_by: { ...changed_by },
    })
  return { outbox, sent, answer }
}

const theirs = { ...seen, version: 2, description: 'Bob’s' }

test('an edit that was merged stays merged when the other context gets the same answer', async () => {
  const { outbox, sent, answer } = await deviceWith('updateSuccessPlan', {
    path,
    body: { title: 'Mine' },
  })
  await answer(sent, theirs, { description: 'bob' })
  const merged = await outbox.all()
  expect(merged).toMatchObject([{ state: 'pending', base: { version: 2 }, merged: true }])
  await answer(sent, theirs, { description: 'bob' })
  expect(await outbox.all()).toEqual(merged)
})

test('an edit that was merged stays merged when the other context gets an older answer', async () => {
  const { outbox, sent, answer } = await deviceWith('updateSuccessPlan', {
    path,
    body: { title: 'Mine' },
  })
  await answer(sent, { ...theirs, version: 3 }, { description: 'bob' })
  const merged = await outbox.all()
  await answer(sent, theirs, { description: 'bob' })
  expect(await outbox.all()).toEqual(merged)
})

test('an edit that was merged is merged again with a newer answer', async () => {
  const { outbox, sent, answer } = await deviceWith('updateSuccessPlan', {
    path,
    body: { title: 'Mine' },
  })
  await answer(sent, theirs, { description: 'bob' })
  await answer(sent, { ...theirs, version: 3, title: 'Mia’s' }, { title: 'mia' })
  expect(await outbox.all()).toMatchObject([
    { state: 'attention', conflict: { fields: ['title'], theirs: { title: 'Mia’s' } } },
  ])
})

test('a deletion that may follow an own edit stays pending', async () => {
  const { outbox, sent, answer } = await deviceWith('deleteSuccessPlan', { path })
  const own = { ...seen, version: 2, title: 'Mine' }
  await answer(sent, own, { title: 'ann' })
  const rebased = await outbox.all()
  expect(rebased).toMatchObject([{ state: 'pending', base: { version: 2 } }])
  await answer(sent, own, { title: 'ann' })
  expect(await outbox.all()).toEqual(rebased)
})
