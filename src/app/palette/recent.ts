// The records that were opened last, kept on the device for each user and organisation.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { activeScope, cacheOf } from '../../sync/queries.ts'
import { keyOf, queries } from '../../sync/query-client.ts'

export interface Recent {
  kind: 'plan' | 'account'
  id: string
}

const NAME = 'recent'
const MOST = 6

const recentQuery = (scope: ReturnType<typeof activeScope>) =>
  queryOptions<readonly Recent[]>({
    queryKey: keyOf(scope, NAME),
    queryFn: async () => ((await (await cacheOf(scope)).kept(NAME)) as Recent[] | undefined) ?? [],
    staleTime: Infinity,
    gcTime: Infinity,
  })

/** What was opened last in the active organisation, the latest first. */
export const useRecent = (): readonly Recent[] => useQuery(recentQuery(activeScope())).data ?? []

/** With that one in front; each is there once. */
export const withRecent = (before: readonly Recent[], opened: Recent): Recent[] =>
  [opened, ...before.filter(({ id }) => id !== opened.id)].slice(0, MOST)

/** Notes that a record was opened. Losing it costs a row in the palette, so a device that is full may. */
export async function noteRecent(opened: Recent): Promise<void> {
  const scope = activeScope()
  const query = recentQuery(scope)
  const after = withRecent(await queries.ensureQueryData(query), opened)
  queries.setQueryData(query.queryKey, after)
  const cache = await cacheOf(scope)
  await cache.keep(NAME, after)
}

/** The record that a path shows, if it shows one. */
export function recordAt(pathname: string): Recent | undefined {
  const [, kind, id] = /^\/(success-plans|accounts)\/([^/]+)$/.exec(pathname) ?? []
  if (kind === undefined || id === undefined || id === 'new') return undefined
  return { kind: kind === 'accounts' ? 'account' : 'plan', id }
}
