// The list of what was sent in the last 14 days is incomplete, unordered, grows without end, loses entries to a clock
// that is wrong, or shows what another user sent.
import { expect, test } from 'vitest'
import { Outbox } from '../../../src/sync/core/outbox.ts'
import { readSent } from '../../../src/sync/core/sent-log.ts'
import { SESSION_KEY } from '../../../src/sync/core/session-store.ts'
import { EngineFixture } from '../engine-fixture.ts'

const HOUR_MS = 3_600_000
const START = Date.parse('2026-03-02T09:00:00.000Z')

/** A device of ann with an outbox whose clock the test sets. */
async function device() {
  const stage = new EngineFixture()
  const clock = { at: START }
  const outbox = new Outbox({ ...stage.ports(), clock: { now: () => clock.at } })
  await stage.store.transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, { seq: 1, session: { user: { id: 'ann' } } }),
  )
  /** Enqueues and acknowledges an update; returns its id. */
  const send = async (text: string, user_id = 'ann') => {
    const { id } = await outbox.enqueue({
      endpoint: 'postPlanUpdate',
      input: { path: { id: 'north-1' }, body: { id: text, body: text } },
      user_id,
      organisation_id: 'north',
    })
    await outbox.acknowledge(id, { id: text })
    return id
  }
  const prune = async () => await outbox.prune(await outbox.fence(), () => true)
  const listed = async (user_id = 'ann') =>
    (await readSent(stage.store, user_id, clock.at)).map(
      ({ input }) => (input.body as { body: string }).body,
    )
  return { stage, clock, outbox, send, prune, listed }
}

test('lists what was sent, latest first, whether or not it was pulled', async () => {
  const { clock, send, prune, listed } = await device()
  await send('first')
  clock.at += 1_000
  await send('second')
  await prune()
  clock.at += 1_000
  await send('third')
  clock.at += 1_000
  await send('fourth')
  expect(await listed()).toEqual(['fourth', 'third', 'second', 'first'])
})

test('keeps the order of entries that were logged in two pulls', async () => {
  const { clock, send, prune, listed } = await device()
  for (const text of ['first', 'second', 'third']) {
    await send(text)
    await prune()
    clock.at += 1_000
  }
  expect(await listed()).toEqual(['third', 'second', 'first'])
})

test('drops entries after 14 days', async () => {
  const { clock, send, prune, listed } = await device()
  await send('two weeks ago')
  await prune()
  clock.at += 14 * 24 * HOUR_MS - 1
  await send('now')
  expect(await listed()).toEqual(['now', 'two weeks ago'])
  clock.at += 1
  expect(await listed()).toEqual(['now'])
})

test('a clock that was ahead for a while deletes nothing', async () => {
  const { clock, send, prune, listed } = await device()
  await send('before')
  await prune()
  clock.at += 40 * 24 * HOUR_MS
  await send('ahead')
  await prune()
  expect(await listed()).toEqual(['ahead'])
  clock.at = START + HOUR_MS
  expect(await listed()).toEqual(['ahead', 'before'])
})

test('keeps the latest 200 entries', async () => {
  const { clock, send, prune, listed } = await device()
  for (let count = 1; count <= 201; count += 1) {
    await send(`no. ${count}`)
    clock.at += 1
  }
  await prune()
  const all = await listed()
  expect([all.length, all[0], all.at(-1)]).toEqual([200, 'no. 201', 'no. 2'])
})

test('lists and logs nothing that another user sent', async () => {
  const { send, prune, listed } = await device()
  await send('by ben', 'ben')
  expect(await listed()).toEqual([])
  await send('by ann')
  await prune()
  expect(await listed()).toEqual(['by ann'])
  expect(await listed('ben')).toEqual([])
})

test('says of an entry when it was made and sent, and whether others’ changes were merged', async () => {
  const { stage, clock, outbox, send } = await device()
  const id = await send('plain')
  clock.at += HOUR_MS
  const earlier = await outbox.enqueue({
    endpoint: 'updateSuccessPlan',
    input: { path: { id: 'north-1' }, body: { outcome: 'Sent' } },
    user_id: 'ann',
    organisation_id: null,
  })
  await outbox.acknowledge(earlier.id, { id: 'north-1', version: 1 })
  const edit = await outbox.enqueue({
    endpoint: 'updateSuccessPlan',
    input: { path: { id: 'north-1' }, body: { title: 'Mine' } },
    user_id: 'ann',
    organisation_id: null,
    seen: { id: 'north-1', version: 1, title: 'Old' },
  })
  const theirs = { id: 'north-1', version: 2, title: 'Old', description: 'Theirs', outcome: 'Sent' }
  const changed_by = { description: 'ben', outcome: 'ann', title: 'ben' }
  const error = { status: 412, message: '' }
  await outbox.conflicts.rebase(edit, { theirs, changed_by, error })
  clock.at += HOUR_MS
  await outbox.acknowledge(edit.id, { ...theirs, version: 3 })
  const sent = await readSent(stage.store, 'ann', clock.at)
  // Not what the edit sets itself, nor what this device has sent before.
  expect(sent[0]?.kept).toEqual({ description: 'Theirs' })
  expect(sent).toMatchObject([
    {
      id: edit.id,
      endpoint: 'updateSuccessPlan',
      organisation_id: null,
      created_at: new Date(START + HOUR_MS).toISOString(),
      sent_at: new Date(START + 2 * HOUR_MS).toISOString(),
      merged: true,
    },
    { id: earlier.id, merged: false },
    { id, organisation_id: 'north', sent_at: new Date(START).toISOString(), merged: false },
  ])
})
