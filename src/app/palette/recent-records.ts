// The recently opened records, stored on the device per user and organisation.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { matchRoutes } from 'react-router'
import { useCurrentIds } from '../../data/record-id.ts'
import { activeScope, replicaOf } from '../../sync/react/query-options.ts'
import { queryKeyOf, queryClient } from '../../sync/react/query-client.ts'

/** A plan or an account by id. */
export interface RecentRecord {
  kind: 'plan' | 'account'
  id: string
}

const CACHE_KEY = 'recent'
const MAX_RECENT = 6

const recentQuery = (scope: ReturnType<typeof activeScope>) =>
  queryOptions<readonly RecentRecord[]>({
    queryKey: queryKeyOf(scope, CACHE_KEY),
    queryFn: async () =>
      ((await (await replicaOf(scope)).getValue(CACHE_KEY)) as RecentRecord[] | undefined) ?? [],
    staleTime: Infinity,
    gcTime: Infinity,
  })

/** The recently opened records of the active organisation, the latest first. */
export function useRecent(): readonly RecentRecord[] {
  const stored = useQuery(recentQuery(activeScope())).data
  const idNow = useCurrentIds()
  return useMemo(
    () =>
      (stored ?? [])
        .toReversed()
        .reduce<RecentRecord[]>(
          (known, { kind, id }) => withRecent(known, { kind, id: idNow(id) }),
          [],
        ),
    [stored, idNow],
  )
}

/** Moves `opened` to the front, without duplicates. */
export const withRecent = (before: readonly RecentRecord[], opened: RecentRecord): RecentRecord[] =>
  [opened, ...before.filter(({ kind, id }) => id !== opened.id || kind !== opened.kind)].slice(
    0,
    MAX_RECENT,
  )

/** Stores that a record was opened. Failures are ignored: only a row of the palette is lost. */
export async function addRecent(opened: RecentRecord): Promise<void> {
  const scope = activeScope()
  const query = recentQuery(scope)
  const after = withRecent(await queryClient.ensureQueryData(query), opened)
  queryClient.setQueryData(query.queryKey, after)
  const cache = await replicaOf(scope)
  await cache.setValue(CACHE_KEY, after)
}

const PAGES: { path: string; kind: RecentRecord['kind'] }[] = [
  { path: '/success-plans/:id', kind: 'plan' },
  { path: '/accounts/:id', kind: 'account' },
]

/** The record that a path shows; undefined if it shows none. */
export function recordAt(pathname: string): RecentRecord | undefined {
  const [page] = matchRoutes(PAGES, pathname) ?? []
  const id = page?.params['id']
  return !page || id === undefined || id === 'new' ? undefined : { kind: page.route.kind, id }
}
