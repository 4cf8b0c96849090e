// What the screens of plans show of an absence. Apart from `use-away.ts`, which every start loads.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { recordsQuery, storedPart } from '../../data/record-queries.ts'
import { activeScope, replicaOf } from '../../sync/react/query-options.ts'
import { changesSince, touchedPlans } from './away-changes.ts'
import { markPlanRead, type Absence } from './away.ts'
import { awayKey, changeAway, useAway } from './use-away.ts'

/** Marks the plan on the screen as read. */
export function useMarkPlanRead(plan_id: string): void {
  const isAway = useAway() !== undefined
  useEffect(() => {
    if (isAway) void changeAway((away) => markPlanRead(away, plan_id)).catch(() => undefined)
  }, [isAway, plan_id])
}

/** What others did during the absence to the plans that the user follows, from the replica. */
export function useAwayChanges(away: Absence, plans: readonly SuccessPlan[] | undefined) {
  const scope = activeScope()
  const { from, to } = away
  // A plan is shown with an older version where an edit waits over a change by others.
  const stored = useQuery(recordsQuery('success_plans')).data
  return useQuery({
    queryKey: [...awayKey(scope), from, to],
    enabled: plans !== undefined && stored !== undefined,
    staleTime: Infinity,
    queryFn: async () => {
      const cache = await replicaOf(scope)
      const versionOf = new Map(stored?.map(({ id, version }) => [id, version]))
      const followed = (plans ?? []).map((plan) => ({
        ...plan,
        version: versionOf.get(plan.id) ?? plan.version,
      }))
      const changes = await Promise.all(
        touchedPlans(followed, away).map(async (plan) => {
          const updates = await storedPart(cache, 'success_plan_updates', plan.id)
          return changesSince(plan, updates ?? [], cache.scope.user_id, away)
        }),
      )
      return changes.filter((change) => change !== undefined)
    },
  }).data
}
