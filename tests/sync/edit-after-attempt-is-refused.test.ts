import { expect, test } from 'vitest'
import { Outbox } from '../../src/sync/outbox.ts'
import { Stage } from './stage.ts'

const said = (text: string) => ({
  endpoint: 'postPlanUpdate',
  input: { path: { id: 'north-1' }, body: { id: 'u-1', body: text } },
  user_id: 'ann',
  organisation_id: 'north',
})

test('what the server may have is not said differently, or both versions could arrive', async () => {
  const outbox = new Outbox(new Stage().ports())
  const { id } = await outbox.add(said('First words'))
  await outbox.begin([id])
  expect(await outbox.edit(id, { id: 'u-1', body: 'Second thoughts' })).toBeUndefined()
  expect((await outbox.all()).map(({ input }) => input)).toEqual([said('First words').input])
})

test('what was never sent is said differently under a new key, in its old place', async () => {
  const outbox = new Outbox(new Stage().ports())
  const first = await outbox.add(said('First words'))
  const last = await outbox.add(said('Last words'))
  const edited = await outbox.edit(first.id, { id: 'u-1', body: 'Second thoughts' })
  expect(edited?.id).not.toBe(first.id)
  expect((await outbox.all()).map(({ id }) => id)).toEqual([edited?.id, last.id])
})

test('an update that is put off while another tab reads the queue is not sent early', async () => {
  const outbox = new Outbox(new Stage().ports())
  const { id } = await outbox.add(said('First words'))
  await outbox.begin([id])
  await outbox.postpone(id, Date.now() + 60_000, { status: 429, message: 'Too many requests.' })
  expect(await outbox.begin([id])).toEqual([])
})
