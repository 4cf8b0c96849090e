import { expect, test } from 'vitest'
import { Outbox } from '../../../src/sync/core/outbox.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { postUpdate, EngineFixture, offline, waitFor } from '../engine-fixture.ts'

const operationWith = (text: string) => ({
  endpoint: 'postPlanUpdate',
  input: { path: { id: 'north-1' }, body: { id: 'u-1', body: text } },
  user_id: 'ann',
  organisation_id: 'north',
})

test('rejects an edit of an operation that was attempted', async () => {
  const outbox = new Outbox(new EngineFixture().ports())
  const { id } = await outbox.enqueue(operationWith('First words'))
  await outbox.claim([id])
  expect(await outbox.edit(id, { id: 'u-1', body: 'Second thoughts' })).toBeUndefined()
  expect((await outbox.all()).map(({ input }) => input)).toEqual([
    operationWith('First words').input,
  ])
})

test('discards nothing that was attempted, nor what depends on it', async () => {
  const outbox = new Outbox(new EngineFixture().ports())
  const plan = { account_id: null, title: 'Plan', status: 'open', id: 'north-1' }
  const author = { user_id: 'ann', organisation_id: 'north' }
  const { id } = await outbox.enqueue({
    endpoint: 'createSuccessPlan',
    input: { body: plan },
    ...author,
  })
  await outbox.enqueue(operationWith('First words'))
  await outbox.claim([id])
  const before = await outbox.all()
  expect(before[1]?.depends_on).toEqual([id])
  expect(await outbox.discard(id)).toEqual([])
  expect(await outbox.all()).toEqual(before)
  await outbox.reject(id, { status: 422, message: 'No.' })
  expect(await outbox.discard(id)).toHaveLength(2)
})

test('gives an edited operation a new key in its old position', async () => {
  const outbox = new Outbox(new EngineFixture().ports())
  const first = await outbox.enqueue(operationWith('First words'))
  const last = await outbox.enqueue(operationWith('Last words'))
  const edited = await outbox.edit(first.id, { id: 'u-1', body: 'Second thoughts' })
  expect(edited?.id).not.toBe(first.id)
  expect((await outbox.all()).map(({ id }) => id)).toEqual([edited?.id, last.id])
})

test('keeps an edited text whose first version had reached the server', async () => {
  const stage = new EngineFixture()
  const engine = await stage.signedInTab('ann')
  stage.network = (request, answer) => {
    const answered = answer()
    return request.method === 'POST' ? offline(request, answer) : answered
  }
  const { id, input } = await postUpdate(engine, 'First words')
  await waitFor(() => expect(stage.storedTexts).toEqual(['First words']))
  stage.network = offline
  await waitFor(() => expect(engine.state.connection.get()).toBe('offline'))
  // A power cut also loses the attempt count, so the operation may be edited again.
  await stage.store.transact(['operations'], 'strict', async (tx) => {
    const marked = (await tx.get('operations', id)) as Operation
    tx.put('operations', id, { ...marked, attempts: 0 })
  })
  const outbox = engine.outbox
  const edited = await outbox.edit(id, { ...(input.body as object), body: 'Second thoughts' })
  stage.network = (_request, answer) => answer()
  engine.wake()
  await waitFor(async () => {
    const [stored] = await outbox.all()
    expect(stored).toMatchObject({
      id: edited?.id,
      state: 'attention',
      last_error: { status: 409, code: 'content_differs' },
    })
  })
  expect(stage.storedTexts).toEqual(['First words'])
  stage.close()
})

test('does not claim a postponed operation early', async () => {
  const outbox = new Outbox(new EngineFixture().ports())
  const { id } = await outbox.enqueue(operationWith('First words'))
  await outbox.claim([id])
  await outbox.postpone(id, Date.now() + 60_000, { status: 429, message: 'Too many requests.' })
  expect(await outbox.claim([id])).toEqual([])
})
