// The records that were opened last, kept on the device for each user and organisation.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { activeScope, replicaOf } from '../../sync/react/query-options.ts'
import { queryKeyOf, queryClient } from '../../sync/react/query-client.ts'

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

/** What was opened last in the active organisation, the latest first. */
export const useRecent = (): readonly RecentRecord[] =>
  useQuery(recentQuery(activeScope())).data ?? []

/** With that one in front; each is there once. */
export const withRecent = (before: readonly RecentRecord[], opened: RecentRecord): RecentRecord[] =>
  [opened, ...before.filter(({ id }) => id !== opened.id)].slice(0, MAX_RECENT)

/** Notes that a record was opened. Losing it costs a row in the palette, so a device that is full may. */
export async function addRecent(opened: RecentRecord): Promise<void> {
  const scope = activeScope()
  const query = recentQuery(scope)
  const after = withRecent(await queryClient.ensureQueryData(query), opened)
  queryClient.setQueryData(query.queryKey, after)
  const cache = await replicaOf(scope)
  await cache.setValue(CACHE_KEY, after)
}

/** The record that a path shows, if it shows one. */
export function recordAt(pathname: string): RecentRecord | undefined {
  const [, kind, id] = /^\/(success-plans|accounts)\/([^/]+)$/.exec(pathname) ?? []
  if (kind === undefined || id === undefined || id === 'new') return undefined
  return { kind: kind === 'accounts' ? 'account' : 'plan', id }
}
