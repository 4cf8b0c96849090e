// Cache and outbox together: the plans as a screen shows them.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { useOperations } from '../../sync/react/use-sync.ts'
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

/** Every plan of the active organisation, as the server said it. */
export const plansQuery = () => recordsQuery('success_plans')

/** One plan; null when it is known not to exist. */
const planQuery = (id: string) => oneRecordQuery('success_plans', id)

/** The updates of one plan, in no order. */
export const planUpdatesQuery = (id: string) => partOfQuery('success_plan_updates', id)

/** All actions as they are here; undefined while nothing was said of any: then the server's plans know. */
function useChangedActions(operations: readonly Operation[]) {
  const isChanged = operations.some((operation) => isFor(operation, 'actions'))
  const actions = useQuery({ ...actionsQuery(), enabled: isChanged }).data
  return useMemo(
    () => (isChanged && actions ? overlayActions(actions, operations) : undefined),
    [isChanged, actions, operations],
  )
}

/** All plans of the active organisation; undefined until the device or the server has answered. */
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

/** One plan with what was said of it; null when it does not exist, undefined while unknown. */
export function usePlan(id: string) {
  const query = useQuery(planQuery(id))
  const operations = useOperations()
  const actions = useChangedActions(operations)
  const plan = useMemo((): SuccessPlan | null | undefined => {
    const folded = overlayPlan(query.data ?? null, id, operations)
    if (!folded) return query.data === undefined ? undefined : null
    return recalculateFromActions([folded], actions, operations)[0]
  }, [query.data, id, operations, actions])
  return { query, plan }
}

/** The feed of one plan, newest first; undefined until the device or the server has answered. */
export function usePlanUpdates(id: string) {
  const query = useQuery(planUpdatesQuery(id))
  const operations = useOperations()
  const feed = useMemo(() => {
    const entries = overlayUpdates(id, query.data ?? [], operations)
    return query.data === undefined && entries.length === 0 ? undefined : entries
  }, [query.data, id, operations])
  return { query, feed }
}

/** Which plans have something on its way, and whether any of it needs somebody. */
export function usePendingPlans(): ReadonlyMap<string, 'waiting' | 'attention'> {
  const operations = useOperations()
  return useMemo(() => {
    const waiting = new Map<string, 'waiting' | 'attention'>()
    for (const operation of operations) {
      const id = planIdOf(operation)
      if (id === undefined || operation.state === 'acknowledged') continue
      if (waiting.get(id) !== 'attention')
        waiting.set(id, operation.state === 'attention' ? 'attention' : 'waiting')
    }
    return waiting
  }, [operations])
}
