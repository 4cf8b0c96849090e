import { expect, test } from 'vitest'
import { Outbox } from '../../src/sync/outbox.ts'
import type { Operation } from '../../src/sync/operation.ts'
import { say, Stage, unplugged, until } from './stage.ts'

const said = (text: string) => ({
  endpoint: 'postPlanUpdate',
  input: { path: { id: 'north-1' }, body: { id: 'u-1', body: text } },
  user_id: 'ann',
  organisation_id: 'north',
})

test('what the server may have is not said differently, or both versions could arrive', async () => {
  const outbox = new Outbox(new Stage().ports())
  const { id } = await outbox.enqueue(said('First words'))
  await outbox.claim([id])
  expect(await outbox.edit(id, { id: 'u-1', body: 'Second thoughts' })).toBeUndefined()
  expect((await outbox.all()).map(({ input }) => input)).toEqual([said('First words').input])
})

test('what was never sent is said differently under a new key, in its old place', async () => {
  const outbox = new Outbox(new Stage().ports())
  const first = await outbox.enqueue(said('First words'))
  const last = await outbox.enqueue(said('Last words'))
  const edited = await outbox.edit(first.id, { id: 'u-1', body: 'Second thoughts' })
  expect(edited?.id).not.toBe(first.id)
  expect((await outbox.all()).map(({ id }) => id)).toEqual([edited?.id, last.id])
})

test('words that replace what had arrived unnoticed are not lost', async () => {
  const stage = new Stage()
  const engine = await stage.signedIn('ann')
  stage.network = (request, answer) => {
    const answered = answer()
    return request.method === 'POST' ? unplugged(request, answer) : answered
  }
  const { id, input } = await say(engine, 'First words')
  await until(() => expect(stage.texts).toEqual(['First words']))
  stage.network = unplugged
  await until(() => expect(engine.connection.get()).toBe('offline'))
  // A power cut takes the mark of the attempt with it, so the words may be edited again.
  await stage.store.transact(['operations'], 'strict', async (tx) => {
    const marked = (await tx.get('operations', id)) as Operation
    tx.put('operations', id, { ...marked, attempts: 0 })
  })
  const outbox = engine.outbox
  const edited = await outbox.edit(id, { ...(input.body as object), body: 'Second thoughts' })
  stage.network = (_request, answer) => answer()
  engine.wake()
  await until(async () => {
    const [kept] = await outbox.all()
    expect(kept).toMatchObject({ id: edited?.id, state: 'attention', last_error: { status: 409 } })
  })
  expect(stage.texts).toEqual(['First words'])
  stage.close()
})

test('an update that is put off while another tab reads the queue is not sent early', async () => {
  const outbox = new Outbox(new Stage().ports())
  const { id } = await outbox.enqueue(said('First words'))
  await outbox.claim([id])
  await outbox.postpone(id, Date.now() + 60_000, { status: 429, message: 'Too many requests.' })
  expect(await outbox.claim([id])).toEqual([])
})
