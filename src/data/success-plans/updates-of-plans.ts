// The updates of several plans, as far as they are on the device.
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { useOperations } from '../../sync/react/use-sync.ts'
import { storedPartOfQuery } from '../record-queries.ts'
import { overlayUpdates, type FeedEntry } from './overlay.ts'

/** An update with its plan. */
export interface TimelineEntry extends FeedEntry {
  plan: SuccessPlan
}

/**
 * The updates of `plans`, newest first, with the operations in the outbox applied; undefined while
 * loading. `missing` is the number of plans whose updates were never pulled. Requests nothing.
 */
export function useUpdatesOfPlans(plans: readonly SuccessPlan[]) {
  const operations = useOperations()
  const queries = useQueries({
    queries: plans.map(({ id }) => storedPartOfQuery('success_plan_updates', id)),
  })
  const isLoading = queries.some(({ isPending }) => isPending)
  // One string per state of all queries: their array is a new one on each render.
  const state = queries.map(({ dataUpdatedAt, isError }) => `${dataUpdatedAt} ${isError}`).join()
  const stored = useMemo(
    () => queries.map(({ data }) => data),
    // oxlint-disable-next-line react/exhaustive-deps
    [state],
  )
  return useMemo(() => {
    const entries = plans
      .flatMap((plan, at): TimelineEntry[] =>
        overlayUpdates(plan.id, stored[at] ?? [], operations).map((entry) => ({ ...entry, plan })),
      )
      .toSorted((a, b) => Date.parse(b.update.written_at) - Date.parse(a.update.written_at))
    return {
      entries: isLoading ? undefined : entries,
      missing: plans.filter(({ version }, at) => version > 0 && !stored[at]).length,
    }
  }, [plans, stored, operations, isLoading])
}
