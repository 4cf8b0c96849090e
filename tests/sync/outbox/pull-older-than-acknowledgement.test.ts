import { expect, test } from 'vitest'
import { keepAcknowledged } from '../../../src/sync/core/operation.ts'
import { Outbox } from '../../../src/sync/core/outbox.ts'
import { EngineFixture } from '../engine-fixture.ts'

test('keeps an acknowledged operation until a later read has its record', async () => {
  const outbox = new Outbox(new EngineFixture().ports())
  const input = { path: { id: 'north-1' }, body: { id: 'u-1', body: 'They signed.' } }
  const operation = { endpoint: 'postPlanUpdate', input, user_id: 'ann', organisation_id: 'north' }
  const { id } = await outbox.enqueue(operation)
  const early = await outbox.fence()
  await outbox.acknowledge(id, { id: 'u-1' })
  expect(await outbox.prune(early, () => true)).toBe(0)
  expect((await outbox.all()).map(({ state }) => state)).toEqual(['acknowledged'])

  const later = await outbox.fence()
  expect(await outbox.prune(later, () => true)).toBe(1)
  expect(await outbox.all()).toEqual([])
})

test('keeps one that a server’s older answer does not have, until a read that began after it', async () => {
  const stage = new EngineFixture()
  const outbox = new Outbox(stage.ports())
  const { id } = await outbox.enqueue({
    endpoint: 'postPlanUpdate',
    input: { path: { id: 'north-1' }, body: { id: 'u-1', body: 'They signed.' } },
    user_id: 'ann',
    organisation_id: 'north',
  })
  const early = await outbox.fence()
  await outbox.acknowledge(id, { id: 'u-1' })
  const acknowledged = await outbox.fence()
  const keep = (fence: number) =>
    stage.store.transact(['operations'], 'readwrite', (tx) => keepAcknowledged(tx, fence))
  expect(await keep(early)).toBe(true)
  expect(await outbox.prune(acknowledged, () => true)).toBe(0)
  expect(await outbox.prune(await outbox.fence(), () => true)).toBe(1)
  // What is gone cannot be kept any more.
  expect(await keep(early)).toBe(false)
})
