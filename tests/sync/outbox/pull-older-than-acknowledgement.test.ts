import { expect, test } from 'vitest'
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
