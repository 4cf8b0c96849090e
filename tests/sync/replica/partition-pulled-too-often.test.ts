// @vitest-environment jsdom
// The updates of a plan are requested each time it is opened, though pulls bring them; or never, though none does.
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { sync } from '../../../src/sync/client.ts'
import { EMPTY_CURSOR } from '../../../src/sync/core/replica.ts'
import { partitionQuery } from '../../../src/sync/react/query-options.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { openOffline } from '../../screens/fixtures/offline-client.ts'

const scope = { user_id: 'ann', organisation_id: 'north' }
const update = { id: 'one', success_plan_id: 'plan', version: 1 }

beforeAll(async () => {
  await openOffline()
  const replica = (await sync().engine()).replicaOf(scope)
  await replica.apply({ put: { success_plan_updates: [update] }, deleted: [] })
})
beforeEach(() => queryClient.clear())

/** Opens the plan; resolves to how often its updates were requested. */
async function openPlan(): Promise<number> {
  const { pullScheduler } = await sync().engine()
  await pullScheduler.publishStatus()
  const pull = vi.spyOn(pullScheduler, 'pullPartition').mockResolvedValue(true)
  const query = partitionQuery('success_plan_updates', 'plan')
  expect(await queryClient.fetchQuery(query)).toEqual([update])
  const { length } = pull.mock.calls
  pull.mockRestore()
  return length
}

test('until the organisation is on the device, the updates of an opened plan are requested', async () => {
  expect(await openPlan()).toBe(1)
})

test('once it is, every pull brings them, and none are requested', async () => {
  const replica = (await sync().engine()).replicaOf(scope)
  const to = { since: 1, whole: true, synced_at: 1 }
  await replica.apply({ put: {}, deleted: [] }, { from: EMPTY_CURSOR, to })
  expect(await openPlan()).toBe(0)
})
