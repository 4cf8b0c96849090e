// Queries for initiatives, with the operations in the outbox applied.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { progressFromActions } from '../../contract/rules.ts'
import type { Action } from '../../contract/schemas/actions.ts'
import type { Initiative } from '../../contract/schemas/initiatives.ts'
import { useOperations } from '../sync/react/use-sync.ts'
import { useActions } from './actions.ts'
import { definedFields, overlayOf } from './optimistic.ts'
import { byPosition } from './position.ts'
import { recordsQuery } from './record-queries.ts'

/** Applies operations to initiatives. Progress from their actions is applied by `followActions`. */
export const overlayInitiatives = overlayOf('initiatives', {
  defaults: () => ({
    title: '',
    success_plan_id: null,
    account_id: null,
    description: null,
    status: 'planned',
    health: null,
    owner_id: null,
    start_date: null,
    end_date: null,
    progress: 0,
    position: 0,
  }),
  fieldsOf: (body) => definedFields(body),
  // As on the server: completing sets 100. With actions, `followActions` overrides it.
  derive: (after, before) =>
    before && after.status === 'completed' && before.status !== 'completed'
      ? { ...after, progress: 100 }
      : after,
})

/** The initiative with its progress calculated from its actions, as the server does. */
export function followActions(initiative: Initiative, actions: readonly Action[]): Initiative {
  const progress = progressFromActions(actions, initiative.progress)
  return progress === initiative.progress ? initiative : { ...initiative, progress }
}

/** An initiative with its actions, by position. */
export interface InitiativeWork {
  initiative: Initiative
  actions: readonly Action[]
}

/**
 * All initiatives of the active organisation, by position, with their actions and the progress
 * calculated from those. `loose` are the actions without an initiative. `work` is undefined while
 * loading.
 */
export function useInitiatives() {
  const query = useQuery(recordsQuery('initiatives'))
  const operations = useOperations()
  const { query: actionsQuery, actions } = useActions()
  const work = useMemo(() => {
    const all = overlayInitiatives(query.data ?? [], operations)
    if (query.data === undefined && all.length === 0) return undefined
    const byInitiative = Map.groupBy(actions ?? [], ({ initiative_id }) => initiative_id)
    const initiatives = all.toSorted(byPosition).map((initiative): InitiativeWork => {
      const own = byInitiative.get(initiative.id) ?? []
      return { initiative: followActions(initiative, own), actions: own }
    })
    return { initiatives, ungrouped: byInitiative.get(null) ?? [] }
  }, [query.data, operations, actions])
  const refetch = () => Promise.all([query.refetch(), actionsQuery.refetch()])
  return { failed: query.isError, refetch, work }
}
