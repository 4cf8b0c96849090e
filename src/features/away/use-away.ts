import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import type { Scope } from '../../sync/core/replica.ts'
import { storedPart } from '../../data/record-queries.ts'
import { activeScope, replicaOf } from '../../sync/react/query-options.ts'
import { queryKeyOf, queryClient } from '../../sync/react/query-client.ts'
import { useLastSync } from '../../sync/react/use-sync.ts'
import {
  changesSince,
  recordVisit,
  hasUnread,
  markPlanRead,
  touchedPlans,
  type Absence,
} from './away.ts'

const NAME = 'away'

const awayKey = (scope: Scope) => queryKeyOf(scope, NAME)

const awayQuery = (scope: Scope) =>
  queryOptions<Absence | null>({
    queryKey: awayKey(scope),
    queryFn: async () =>
      ((await (await replicaOf(scope)).getValue(NAME)) as Absence | undefined) ?? null,
    staleTime: Infinity,
    gcTime: Infinity,
  })

/** Since when, in versions, the user of this device was away; undefined while nobody was. */
export function useAway(): Absence | undefined {
  const away = useQuery(awayQuery(activeScope())).data
  return away && hasUnread(away) ? away : undefined
}

/** Changes what is kept. Losing it costs a list of news, so a device that is full may. */
export async function changeAway(change: (away: Absence) => Absence): Promise<void> {
  const scope = activeScope()
  const before = await queryClient.ensureQueryData(awayQuery(scope))
  if (!before) return
  const after = change(before)
  if (after !== before) await storeAbsence(scope, after)
}

async function storeAbsence(scope: Scope, away: Absence): Promise<void> {
  queryClient.setQueryData(awayQuery(scope).queryKey, away)
  const cache = await replicaOf(scope)
  await cache.setValue(NAME, away).catch(() => undefined)
}

/** Notes, after each whole read while the app is looked at, that its user is here. */
export function usePresence(): void {
  const synced = useLastSync()
  useEffect(() => {
    if (synced === null || document.visibilityState !== 'visible') return
    void recordPresence().catch(() => undefined)
  }, [synced])
}

async function recordPresence(): Promise<void> {
  const scope = activeScope()
  const { since, synced_at } = await (await replicaOf(scope)).cursor()
  // What was read before this page was opened was not read while its user was here.
  if (synced_at === null || synced_at < performance.timeOrigin) return
  const before = await queryClient.ensureQueryData(awayQuery(scope))
  await storeAbsence(scope, recordVisit(before ?? undefined, { version: since, at: synced_at }))
}

/** A plan is being looked at: what happened to it meanwhile is told. */
export function useMarkPlanRead(plan_id: string): void {
  const isAway = useAway() !== undefined
  useEffect(() => {
    if (isAway) void changeAway((away) => markPlanRead(away, plan_id)).catch(() => undefined)
  }, [isAway, plan_id])
}

/** What others did meanwhile to the plans that the user follows, from what is on this device. */
export function useAwayChanges(away: Absence, plans: readonly SuccessPlan[] | undefined) {
  const scope = activeScope()
  const { from, to } = away
  return useQuery({
    queryKey: [...awayKey(scope), from, to],
    enabled: plans !== undefined,
    staleTime: Infinity,
    queryFn: async () => {
      const cache = await replicaOf(scope)
      const changes = await Promise.all(
        touchedPlans(plans ?? [], away).map(async (plan) => {
          const updates = await storedPart(cache, 'success_plan_updates', plan.id)
          return changesSince(plan, updates ?? [], cache.scope.user_id, away)
        }),
      )
      return changes.filter((change) => change !== undefined)
    },
  }).data
}
