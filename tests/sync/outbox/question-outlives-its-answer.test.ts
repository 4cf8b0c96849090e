// A question stays although its author has answered it by a later edit or a deletion: when the app is closed in
// between, the answer to the question replaces the later value, or changes a record that is gone.
import { expect, test } from 'vitest'
import { Outbox } from '../../../src/sync/core/outbox.ts'
import { readSent } from '../../../src/sync/core/sent-log.ts'
import { SESSION_KEY } from '../../../src/sync/core/session-store.ts'
import { EngineFixture } from '../engine-fixture.ts'

const seen = { id: 'north-1', version: 1, title: 'Old', description: '', outcome: '' }
const theirs = { ...seen, version: 2, title: 'Bob’s' }

/** A device on which ann is asked about the title of a plan, with what she enqueues of it. */
async function asked() {
  const stage = new EngineFixture()
  const outbox = new Outbox(stage.ports())
  await stage.store.transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, { seq: 1, session: { user: { id: 'ann' } } }),
  )
  const enqueue = (endpoint: string, body?: object, user_id = 'ann') =>
    outbox.enqueue({
      endpoint,
      input: { path: { id: seen.id }, body },
      user_id,
      organisation_id: 'north',
      seen: { ...seen },
    })
  const edit = (body: object, user_id?: string) => enqueue('updateSuccessPlan', body, user_id)
  const ask = async (question: Awaited<ReturnType<typeof edit>>) =>
    await outbox.conflicts.rebase(question, {
      theirs,
      changed_by: { title: 'bob' },
      error: { status: 412, message: '' },
    })
  const question = await edit({ title: 'Earlier', outcome: 'Earlier too' })
  await ask(question)
  const givenUp = async () =>
    (await readSent(stage.store, 'ann', Date.now()))
      .filter(({ given_up }) => given_up)
      .map(({ input }) => input.body)
  const bodies = async () =>
    (await outbox.all())
      .filter(({ state }) => state !== 'acknowledged')
      .map(({ input }) => input.body)
  return { outbox, enqueue, edit, ask, givenUp, bodies }
}

test.for([
  ['by itself', (outbox: Outbox, id: string) => outbox.acknowledge(id, { ...theirs, version: 3 })],
  [
    'in a batch',
    (outbox: Outbox, id: string) =>
      outbox.acknowledgeAll(new Map([[id, { ...theirs, version: 3 }]])),
  ],
] as const)(
  'what a later edit has set is not asked about once that is acknowledged %s',
  async ([, acknowledge]) => {
    const { outbox, edit, givenUp, bodies } = await asked()
    const later = await edit({ title: 'Later' })
    await acknowledge(outbox, later.id)
    expect(await bodies()).toEqual([{ outcome: 'Earlier too' }])
    expect(await givenUp()).toEqual([{ title: 'Earlier' }])
  },
)

test('with the deletion of its record the question ends, and what waits for the answer', async () => {
  const { outbox, enqueue, edit, givenUp, bodies } = await asked()
  await edit({ title: 'Second' })
  const deletion = await enqueue('deleteSuccessPlan')
  await edit({ title: 'By ben' }, 'ben')
  await outbox.acknowledge(deletion.id, { id: seen.id })
  expect(await bodies()).toEqual([{ title: 'By ben' }])
  expect(await givenUp()).toEqual([
    { title: 'Second' },
    { title: 'Earlier', outcome: 'Earlier too' },
  ])
})

test('the deletion of another record ends no question', async () => {
  const { outbox, bodies } = await asked()
  const deletion = await outbox.enqueue({
    endpoint: 'deleteSuccessPlan',
    input: { path: { id: 'north-2' } },
    user_id: 'ann',
    organisation_id: 'north',
  })
  await outbox.acknowledge(deletion.id, { id: 'north-2' })
  expect(await bodies()).toEqual([{ title: 'Earlier', outcome: 'Earlier too' }])
})
