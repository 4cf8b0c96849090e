// @vitest-environment jsdom
// Without a network a list stays empty, loads for ever, or lacks what is stored on this device.
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { useAccount, useAccounts } from '../../../src/data/accounts.ts'
import { editRecord, createRecord } from '../../../src/data/change-records.ts'
import { useInitiatives } from '../../../src/data/initiatives.ts'
import {
  usePendingPlans,
  usePlan,
  usePlans,
  usePlanUpdates,
} from '../../../src/data/success-plans/queries.ts'
import { postUpdate } from '../../../src/data/success-plans/post-update.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { useSignedOutWork } from '../../../src/sync/react/use-sync.ts'
import { emptyOutbox, openOffline, rejectOperation } from '../fixtures/offline-client.ts'
import {
  accountWith,
  actionWith,
  initiativeWith,
  PLAN_ID,
  planWith,
  updateWith,
} from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  await openOffline()
  const replica = (await sync().engine()).activeReplica()
  const put = {
    success_plans: [planWith({ actions_count: 2 })],
    success_plan_updates: [updateWith({ id: 'stored' })],
    accounts: [accountWith()],
    initiatives: [
      initiativeWith({ id: 'second', position: 2 }),
      initiativeWith({ id: 'first', position: 1 }),
    ],
    actions: [
      actionWith({ id: 'in-second', initiative_id: 'second', position: 1 }),
      actionWith({ id: 'loose', initiative_id: null, position: 2 }),
    ],
  }
  await replica?.apply({ put, deleted: [] })
})
afterEach(async () => {
  cleanup()
  await act(emptyOutbox)
  queryClient.clear()
})

const show = <T,>(hook: () => T) => renderHook(hook, { wrapper: QueryProvider }).result

test('the accounts show what was downloaded, what was added and what was edited', async () => {
  const result = show(() => useAccounts().accounts?.map(({ name }) => name))
  await waitFor(() => expect(result.current).toEqual(['Northwind']))
  await act(async () => {
    await createRecord('accounts', { name: 'Made here' })
    await editRecord('accounts', accountWith(), { name: 'Edited here' })
  })
  await waitFor(() => expect(result.current).toEqual(['Edited here', 'Made here']))
})

test('one account shows its edit; one made here opens although no server knows it', async () => {
  const stored = show(() => useAccount('account').account)
  await waitFor(() => expect(stored.current?.name).toBe('Northwind'))
  await act(() => editRecord('accounts', accountWith(), { name: 'Edited here' }))
  await waitFor(() => expect(stored.current?.name).toBe('Edited here'))
  let id = ''
  await act(async () => void (id = await createRecord('accounts', { name: 'Made here' })))
  const made = show(() => useAccount(id).account)
  await waitFor(() => expect(made.current?.name).toBe('Made here'))
})

test('a record that is neither stored nor reachable fails instead of being missing', async () => {
  const result = show(() => useAccount('unknown'))
  await waitFor(() => expect(result.current.query.isError).toBe(true))
  expect(result.current.account).toBeUndefined()
})

test('a plan and its feed show a pending update once, and that it needs attention', async () => {
  const plan = show(() => usePlan(PLAN_ID).plan?.progress)
  const plans = show(() => usePlans().plans?.map(({ progress }) => progress))
  const feed = show(() => usePlanUpdates(PLAN_ID).feed?.map(({ update }) => update.body))
  const pending = show(() => [...usePendingPlans()])
  await waitFor(() => expect([plan.current, plans.current]).toEqual([40, [40]]))
  await waitFor(() => expect(feed.current).toHaveLength(1))
  expect(pending.current).toEqual([])
  await act(() => postUpdate(planWith(), { body: 'From the train', progress: 60 }))
  await waitFor(() => expect([plan.current, plans.current]).toEqual([60, [60]]))
  await waitFor(() => expect(feed.current?.[0]).toBe('From the train'))
  expect(feed.current).toHaveLength(2)
  expect(pending.current).toEqual([[PLAN_ID, 'waiting']])
  await act(() => rejectOperation(sync().operations.get()[0]?.id ?? ''))
  await waitFor(() => expect([plan.current, plans.current]).toEqual([40, [40]]))
  expect(pending.current).toEqual([[PLAN_ID, 'attention']])
})

test('initiatives are ordered by position, with their actions and those without one', async () => {
  const result = show(() => useInitiatives().work)
  await waitFor(() => expect(result.current?.ungrouped.map(({ id }) => id)).toEqual(['loose']))
  const shown = result.current?.initiatives.map(({ initiative, actions }) => [
    initiative.id,
    actions.map(({ id }) => id),
  ])
  expect(shown).toEqual([
    ['first', []],
    ['second', ['in-second']],
  ])
})

test('a plan counts the actions that were done here', async () => {
  const result = show(() => usePlan(PLAN_ID).plan)
  await waitFor(() => expect(result.current?.actions_count).toBe(2))
  await act(async () => {
    await createRecord('actions', { title: 'Here', success_plan_id: PLAN_ID, status: 'done' })
  })
  await waitFor(() =>
    expect(result.current).toMatchObject({ actions_count: 3, actions_done_count: 1 }),
  )
})

test('a sign-out tells how much work is left on the device, and of how many others', async () => {
  const result = show(useSignedOutWork)
  await act(async () => {
    await createRecord('accounts', { name: 'Mine' })
    await createRecord('accounts', { name: 'Mine, too' })
  })
  expect(result.current).toEqual({ count: 0, forced: false, others: 0 })
  const engine = await sync().engine()
  for (const user_id of ['ben', 'ben', 'kim'])
    await engine.outbox.enqueue({
      endpoint: 'createAccount',
      input: { body: { id: 'theirs', name: 'Theirs' } },
      user_id,
      organisation_id: 'north',
    })
  await act(() => sync().signOut('keep'))
  await waitFor(() => expect(result.current).toEqual({ count: 2, forced: false, others: 2 }))
})
