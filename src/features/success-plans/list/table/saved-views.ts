// Views that the user has named: what a list shows and how, as the search part of its address. Kept on
// the device with the replica, and so removed by a sign-out.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { newId } from '../../../../sync/browser/new-id.ts'
import type { Scope } from '../../../../sync/core/replica.ts'
import { queryClient, queryKeyOf } from '../../../../sync/react/query-client.ts'
import { activeScope, replicaOf } from '../../../../sync/react/query-options.ts'

/** One view, stored on the device for each user and organisation. */
export interface SavedView {
  id: string
  name: string
  /** Search parameters, without `?`. */
  search: string
}

const NAME = 'saved-views'

const readViews = async (scope: Scope): Promise<readonly SavedView[]> =>
  ((await (await replicaOf(scope)).getValue(NAME)) as readonly SavedView[] | undefined) ?? []

const viewsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: queryKeyOf(scope, NAME),
    queryFn: async () => await readViews(scope),
    staleTime: Infinity,
    gcTime: Infinity,
  })

/** The saved views in the order in which they were made; undefined until they are read. */
export const useSavedViews = (): readonly SavedView[] | undefined =>
  useQuery(viewsQuery(activeScope())).data

async function change(write: (views: readonly SavedView[]) => readonly SavedView[]): Promise<void> {
  const scope = activeScope()
  // Another tab may have changed them.
  const after = write(await readViews(scope))
  await (await replicaOf(scope)).setValue(NAME, after)
  queryClient.setQueryData(viewsQuery(scope).queryKey, after)
}

/** Saves a view under a name. */
export const saveView = (name: string, search: string): Promise<void> =>
  change((views) => [...views, { id: newId(), name, search }])

/** Gives a view another name. */
export const renameView = (id: string, name: string): Promise<void> =>
  change((views) => views.map((view) => (view.id === id ? { ...view, name } : view)))

/** Deletes a view; returns what brings it back to its place. */
export async function deleteView(id: string): Promise<() => Promise<void>> {
  let deleted: { at: number; view: SavedView } | undefined
  await change((views) => {
    const at = views.findIndex((view) => view.id === id)
    const view = views[at]
    if (view) deleted = { at, view }
    return views.filter((one) => one.id !== id)
  })
  return () => change((views) => (deleted ? views.toSpliced(deleted.at, 0, deleted.view) : views))
}
