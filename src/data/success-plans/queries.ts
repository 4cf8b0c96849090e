// Queries for success plans, with the operations in the outbox applied.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { useOperations } from '../../sync/react/use-sync.ts'
import { pendingCreation } from '../operations/pending-edits.ts'
import { useRecordKeys } from '../record-id.ts'
import { isFor } from '../operations/operation-call.ts'
import { oneRecordQuery, partOfQuery, recordsQuery } from '../record-queries.ts'
import { actionsQuery, overlayActions } from '../actions.ts'
import {
  overlayPlan,
  overlayPlans,
  overlayUpdates,
  recalculateFromActions,
  planIdOf,
} from './overlay.ts'

const NO_UPDATES: readonly never[] = []

/** All plans of the active organisation as the server last sent them, without operations. */
export const plansQuery = () => recordsQuery('success_plans')

/** One plan; null if it does not exist. */
const planQuery = (id: string) => oneRecordQuery('success_plans', id)

/** The updates of one plan, unordered. */
export const planUpdatesQuery = (id: string) => partOfQuery('success_plan_updates', id)

/** All actions with operations applied; undefined without any, because the server's totals are then right. */
function useChangedActions(operations: readonly Operation[]) {
  const isChanged = operations.some(
    (one) => isFor(one, 'actions') || isFor(one, 'initiatives', 'delete'),
  )
  const actions = useQuery({ ...actionsQuery(), enabled: isChanged }).data
  return useMemo(
    () => (isChanged && actions ? overlayActions(actions, operations) : undefined),
    [isChanged, actions, operations],
  )
}

/** All plans of the active organisation; undefined while loading. */
export function usePlans() {
  const query = useQuery(plansQuery())
  const operations = useOperations()
  const actions = useChangedActions(operations)
  const plans = useMemo(
    () =>
      query.data &&
      recalculateFromActions(overlayPlans(query.data, operations), actions, operations),
    [query.data, operations, actions],
  )
  return { query, plans }
}

/** One plan; null if it does not exist, undefined while loading. */
export function usePlan(id: string) {
  const query = useQuery(planQuery(id))
  const operations = useOperations()
  const actions = useChangedActions(operations)
  const plan = useMemo((): SuccessPlan | null | undefined => {
    const overlaid = overlayPlan(query.data ?? null, id, operations)
    if (!overlaid) return query.data === undefined ? undefined : null
    return recalculateFromActions([overlaid], actions, operations)[0]
  }, [query.data, id, operations, actions])
  return { query, plan }
}

/**
 * The feed of one plan, newest first; undefined while loading. `isStored`: what the server has of it is on
 * this device.
 */
export function usePlanUpdates(id: string) {
  const operations = useOperations()
  const ownId = useRecordKeys('success_plans')(id)
  // Made here, and not on the server yet: it has no updates to read.
  const isNew = pendingCreation(operations, 'success_plans', id) !== undefined
  const query = useQuery({ ...planUpdatesQuery(id), enabled: !isNew })
  const stored = query.data ?? (isNew || ownId !== id ? NO_UPDATES : undefined)
  const feed = useMemo(() => {
    const entries = overlayUpdates(id, stored ?? [], operations)
    return stored === undefined && entries.length === 0 ? undefined : entries
  }, [stored, id, operations])
  return { query, feed, isStored: stored !== undefined }
}

/** Plans with pending operations, by id; `attention` if any of those needs the user. */
export function usePendingPlans(): ReadonlyMap<string, 'waiting' | 'attention'> {
  const operations = useOperations()
  return useMemo(() => {
    const pending = new Map<string, 'waiting' | 'attention'>()
    for (const operation of operations) {
      const id = planIdOf(operation)
      if (id === undefined || operation.state === 'acknowledged') continue
      if (pending.get(id) !== 'attention')
        pending.set(id, operation.state === 'attention' ? 'attention' : 'waiting')
    }
    return pending
  }, [operations])
}
