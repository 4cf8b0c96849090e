// @vitest-environment jsdom
// A plan of whose updates one page was read counted as read: its feed, the archive and the imports took that for all.
import { cleanup, render, renderHook, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { useUpdatesOfPlans } from '../../../src/data/success-plans/updates-of-plans.ts'
import { PrintSheet } from '../../../src/features/success-plans/detail/print-sheet.tsx'
import { printMessages, updateMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { UpdateFeed } from '../../../src/features/success-plans/updates/update-feed.tsx'
import { sync } from '../../../src/sync/client.ts'
import { EMPTY_CURSOR } from '../../../src/sync/core/replica.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith, updateWith } from '../fixtures/record-fixtures.ts'

const UPDATES = 'success_plan_updates'
const plan = planWith({ id: 'partly' })
const update = updateWith({ id: 'first', success_plan_id: plan.id, body: 'They signed.' })

const engineAndReplica = async () => {
  const engine = await sync().engine()
  return { puller: engine.puller, replica: engine.replicaOf(activeScope()) }
}
/** Stores a page of updates, as the last of its list or not. */
async function read(id: string, records: (typeof update)[], isLast: boolean) {
  const { puller, replica } = await engineAndReplica()
  const end = await puller.beginPart(replica, UPDATES, id)
  await puller.store(replica, { put: { [UPDATES]: records }, deleted: [] })
  if (isLast) await end(new Set(records.map((record) => record.id)))
}

beforeAll(async () => {
  // jsdom has no media queries.
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  await openOffline()
  await read(plan.id, [update], false)
})
beforeEach(() => queryClient.clear())
afterEach(cleanup)

const show = (page: React.ReactNode) =>
  render(
    <MemoryRouter>
      <QueryProvider>{page}</QueryProvider>
    </MemoryRouter>,
  )
async function missing(...plans: (typeof plan)[]) {
  queryClient.clear()
  const { result } = renderHook(() => useUpdatesOfPlans(plans), { wrapper: QueryProvider })
  await waitFor(() => expect(result.current.entries).toBeDefined())
  return { missing: result.current.missing, entries: result.current.entries?.length }
}

test('a plan whose updates were read in part is listed as one that lacks updates', async () => {
  expect(await missing(plan)).toEqual({ missing: [plan.id], entries: 1 })
})

test('its feed and its sheet say that they are not all here', async () => {
  show(<UpdateFeed plan={plan} />)
  await screen.findByText(update.body)
  await screen.findByText(updateMessages.partly)
  cleanup()
  show(<PrintSheet plan={plan} />)
  await screen.findByText(printMessages.incomplete)
})

test('where the part that was read is empty, the feed does not say that there are no updates', async () => {
  const { replica } = await engineAndReplica()
  await replica.apply({ put: {}, deleted: [{ type: UPDATES, id: 'x', partition: 'empty' }] })
  show(<UpdateFeed plan={planWith({ id: 'empty' })} />)
  await screen.findByText(updateMessages.partly)
  expect(screen.queryByText(updateMessages.emptyTitle)).toBe(null)
})

test('updates that were read to their end are complete, also after a later read of a part', async () => {
  const whole = planWith({ id: 'whole' })
  const of = (id: string) => updateWith({ id, success_plan_id: whole.id, body: id })
  await read(whole.id, [of('a'), of('b')], true)
  expect(await missing(whole)).toEqual({ missing: [], entries: 2 })
  await read(whole.id, [of('c')], false)
  expect(await missing(whole)).toEqual({ missing: [], entries: 3 })
  show(<UpdateFeed plan={whole} />)
  await screen.findByText('c')
  expect(screen.queryByText(updateMessages.partly)).toBe(null)
})

test('in a complete replica the updates of each plan are complete', async () => {
  const { replica } = await engineAndReplica()
  const to = { since: 1, whole: true, synced_at: 1 }
  await replica.apply({ put: {}, deleted: [] }, { from: EMPTY_CURSOR, to })
  expect(await missing(plan, planWith({ id: 'silent' }))).toEqual({ missing: [], entries: 1 })
})

test('plans that come after others are not said to lack updates while theirs are looked for', async () => {
  await read('later', [], true)
  const seen: { missing: readonly string[]; isRead: boolean }[] = []
  const { rerender } = renderHook(
    ({ plans }) => {
      const { missing, entries } = useUpdatesOfPlans(plans)
      seen.push({ missing, isRead: entries !== undefined })
    },
    { wrapper: QueryProvider, initialProps: { plans: [] as (typeof plan)[] } },
  )
  await waitFor(() => expect(seen.at(-1)?.isRead).toBe(true))
  rerender({ plans: [planWith({ id: 'later' })] })
  expect(seen.at(-1)).toEqual({ missing: [], isRead: false })
  await waitFor(() => expect(seen.at(-1)?.isRead).toBe(true))
  expect(seen.flatMap(({ missing }) => missing)).toEqual([])
})

test('a new plan leaves the updates of the others on the screen while its own are looked for', async () => {
  await read('before', [updateWith({ id: 'kept', success_plan_id: 'before' })], true)
  await read('after', [updateWith({ id: 'added', success_plan_id: 'after' })], true)
  const before = planWith({ id: 'before' })
  const { result, rerender } = renderHook(({ plans }) => useUpdatesOfPlans(plans), {
    wrapper: QueryProvider,
    initialProps: { plans: [before] },
  })
  await waitFor(() => expect(result.current.isComplete).toBe(true))
  const ids = () => result.current.entries?.map((entry) => entry.update.id).toSorted()
  rerender({ plans: [before, planWith({ id: 'after' })] })
  expect(ids()).toEqual(['kept'])
  expect(result.current).toMatchObject({ isComplete: false, missing: [] })
  await waitFor(() => expect(result.current.isComplete).toBe(true))
  expect(ids()).toEqual(['added', 'kept'])
})
