import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Scope } from '../../sync/core/replica.ts'
import { activeScope, replicaOf } from '../../sync/react/query-options.ts'
import { queryKeyOf, queryClient } from '../../sync/react/query-client.ts'
import { useLastSync } from '../../sync/react/use-sync.ts'
import { recordVisit, hasUnread, type Absence } from './away.ts'

const NAME = 'away'

/** The key of the absence in the query cache. */
export const awayKey = (scope: Scope) => queryKeyOf(scope, NAME)

const awayQuery = (scope: Scope) =>
  queryOptions<Absence | null>({
    queryKey: awayKey(scope),
    queryFn: async () =>
      ((await (await replicaOf(scope)).getValue(NAME)) as Absence | undefined) ?? null,
    staleTime: Infinity,
    gcTime: Infinity,
  })

/** The absence to report, as a range of versions; undefined if there is none. */
export function useAway(): Absence | undefined {
  const away = useQuery(awayQuery(activeScope())).data
  return away && hasUnread(away) ? away : undefined
}

/** Changes the stored absence. Failures are ignored: only the list of news is lost. */
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
  // Until the page is closed the value above counts.
  await cache.setValue(NAME, away).catch(() => undefined)
}

/** Records, after each complete pull while the app is visible, that the user is active. */
export function usePresence(): void {
  const synced = useLastSync()
  useEffect(() => {
    if (typeof synced !== 'number' || document.visibilityState !== 'visible') return
    void recordPresence().catch(() => undefined)
  }, [synced])
}

async function recordPresence(): Promise<void> {
  const scope = activeScope()
  const { since, synced_at } = await (await replicaOf(scope)).cursor()
  // A pull from before this page was opened says nothing about the user's presence.
  if (synced_at === null || synced_at < performance.timeOrigin) return
  const before = await queryClient.ensureQueryData(awayQuery(scope))
  await storeAbsence(scope, recordVisit(before ?? undefined, { version: since, at: synced_at }))
}
