// A sign-out deletes the log of what was sent, and an edit that waits is later compared with its author's
// own values as if they were someone else's.
import { expect, onTestFinished, test } from 'vitest'
import { wipeUserData } from '../../../src/sync/core/api/user-data.ts'
import { Outbox } from '../../../src/sync/core/outbox.ts'
import { readSession } from '../../../src/sync/core/session-store.ts'
import { EngineFixture } from '../engine-fixture.ts'

const STORES = ['session', 'operations', 'cache'] as const

test('an edit that waits keeps the value that was confirmed before it, and no other', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const outbox = new Outbox(stage.ports())
  const edit = (title: string, seen: Record<string, unknown>) =>
    outbox.enqueue({
      endpoint: 'updateSuccessPlan',
      input: { path: { id: 'north-1' }, body: { title } },
      user_id: 'ann',
      organisation_id: 'north',
      seen: { id: 'north-1', version: 1, ...seen },
    })
  const { id } = await edit('Confirmed', { title: 'First' })
  await outbox.acknowledge(id, { id: 'north-1', title: 'Confirmed', version: 2 })
  await edit('Waiting', { title: 'Confirmed' })
  await stage.store.transact([...STORES], 'readwrite', (tx) =>
    wipeUserData(tx, 'ann', stage.ports()),
  )
  const left = await outbox.all()
  expect(left).toMatchObject([{ state: 'pending', base: { own: { title: ['Confirmed'] } } }])
})

test('a device without a stored session has none, and is older than every session', async () => {
  const { store } = new EngineFixture()
  expect(await store.transact(['session'], 'readonly', readSession)).toEqual({
    seq: 0,
    session: null,
  })
})
