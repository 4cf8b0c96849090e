// Cache and outbox together: the plans as a screen shows them.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SuccessPlan } from '../../../contract/success-plans.ts'
import { useOperations } from '../../sync/react.ts'
import { foldPlan, foldPlans, foldUpdates, planOf } from './fold.ts'
import { planQuery, plansQuery, planUpdatesQuery } from './queries.ts'

/** All plans of the active organisation; undefined until the device or the server has answered. */
export function usePlans() {
  const query = useQuery(plansQuery())
  const operations = useOperations()
  const plans = useMemo(
    () => query.data && foldPlans(query.data, operations),
    [query.data, operations],
  )
  return { query, plans }
}

/** One plan with what was said of it; null when it does not exist, undefined while unknown. */
export function usePlan(id: string) {
  const query = useQuery(planQuery(id))
  const operations = useOperations()
  const plan = useMemo((): SuccessPlan | null | undefined => {
    const folded = foldPlan(query.data ?? null, id, operations)
    return folded ?? (query.data === undefined ? undefined : null)
  }, [query.data, id, operations])
  return { query, plan }
}

/** The feed of one plan, newest first; undefined until the device or the server has answered. */
export function usePlanUpdates(id: string) {
  const query = useQuery(planUpdatesQuery(id))
  const operations = useOperations()
  const feed = useMemo(() => {
    const said = foldUpdates(id, query.data ?? [], operations)
    return query.data === undefined && said.length === 0 ? undefined : said
  }, [query.data, id, operations])
  return { query, feed }
}

/** Which plans have something on its way, and whether any of it needs somebody. */
export function useWaitingPlans(): ReadonlyMap<string, 'waiting' | 'attention'> {
  const operations = useOperations()
  return useMemo(() => {
    const waiting = new Map<string, 'waiting' | 'attention'>()
    for (const operation of operations) {
      const id = planOf(operation)
      if (id === undefined || operation.state === 'acknowledged') continue
      if (waiting.get(id) !== 'attention')
        waiting.set(id, operation.state === 'attention' ? 'attention' : 'waiting')
    }
    return waiting
  }, [operations])
}
