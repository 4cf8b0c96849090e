// The updates of several plans, as far as they are on the device.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import { isPartReadQuery, storedPartitionsQuery } from '../../sync/react/part-queries.ts'
import { useOperations } from '../../sync/react/use-sync.ts'
import { pendingCreation } from '../operations/pending-edits.ts'
import { overlayUpdates, type FeedEntry } from './overlay.ts'

/** An update with its plan. */
export interface TimelineEntry extends FeedEntry {
  plan: SuccessPlan
}

interface UpdatesOfPlans {
  entries: readonly TimelineEntry[] | undefined
  /** Whether the updates of every plan were looked for; until then `entries` has those of some plans, if any. */
  isComplete: boolean
  missing: readonly string[]
}

/**
 * The updates of `plans`, newest first, with the operations in the outbox applied; undefined until some are
 * known, or it is known that there are none. `missing` are the ids of plans whose updates were never pulled to their
 * end. Requests nothing.
 */
export function useUpdatesOfPlans(plans: readonly SuccessPlan[]): UpdatesOfPlans {
  const operations = useOperations()
  // A new update gives its plan a new version, or a time where the server counts no versions.
  const state = plans.map(({ id, version, updated_at }) => `${id} ${version || updated_at}`).join()
  const ids = plans.map(({ id }) => id)
  const stored = useQuery(
    storedPartitionsQuery<SuccessPlanUpdate>('success_plan_updates', ids, state),
  ).data
  return useMemo(() => {
    const isNew = ({ id }: SuccessPlan) => pendingCreation(operations, 'success_plans', id)
    if (!stored) return UNREAD
    // A plan that has just arrived leaves the updates of the others on the screen.
    const known = plans.filter((plan) => stored.has(plan.id) || isNew(plan))
    const isComplete = known.length === plans.length
    const entries = known
      .flatMap((plan): TimelineEntry[] =>
        overlayUpdates(plan.id, stored.get(plan.id)?.records ?? [], operations).map((entry) => ({
          ...entry,
          plan,
        })),
      )
      .toSorted((a, b) => Date.parse(b.update.written_at) - Date.parse(a.update.written_at))
    if (!isComplete && entries.length === 0) return UNREAD
    const isMissing = (plan: SuccessPlan) => !stored.get(plan.id)?.isWhole && !isNew(plan)
    return { entries, isComplete, missing: known.filter(isMissing).map(({ id }) => id) }
  }, [plans, stored, operations])
}

const UNREAD: UpdatesOfPlans = { entries: undefined, isComplete: false, missing: [] }

/**
 * Whether only a part of a plan's updates is on this device; read again when the data of their `feed` changes. False
 * while it is not known.
 */
export function useIsPartlyRead(id: string, feed: { data: unknown; dataUpdatedAt: number }) {
  const query = isPartReadQuery('success_plan_updates', id, String(feed.dataUpdatedAt))
  return useQuery({ ...query, enabled: feed.data !== undefined }).data === false
}
