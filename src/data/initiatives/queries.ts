// Cache and outbox together: the initiatives as a screen shows them.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Action } from '../../../contract/schemas/actions.ts'
import type { Initiative } from '../../../contract/schemas/initiatives.ts'
import { collectionQuery } from '../../sync/react/query-options.ts'
import { useOperations } from '../../sync/react/use-sync.ts'
import { useActions } from '../actions/queries.ts'
import { byPosition } from '../position.ts'
import { following, foldInitiatives } from './fold.ts'

/** An initiative with its actions, both in their order. */
export interface InitiativeWork {
  initiative: Initiative
  actions: readonly Action[]
}

/**
 * All initiatives of the active organisation, each with its actions and where these put it, in their
 * order, and the actions that belong to none; undefined until the device or the server has answered.
 */
export function useInitiatives() {
  const query = useQuery(collectionQuery<Initiative>('initiatives'))
  const operations = useOperations()
  const { query: actionsQuery, actions } = useActions()
  const work = useMemo(() => {
    const said = foldInitiatives(query.data ?? [], operations)
    if (query.data === undefined && said.length === 0) return undefined
    const byInitiative = Map.groupBy(actions ?? [], ({ initiative_id }) => initiative_id)
    const initiatives = said.toSorted(byPosition).map((initiative): InitiativeWork => {
      const own = byInitiative.get(initiative.id) ?? []
      return { initiative: following(initiative, own), actions: own }
    })
    return { initiatives, loose: byInitiative.get(null) ?? [] }
  }, [query.data, operations, actions])
  const refetch = () => Promise.all([query.refetch(), actionsQuery.refetch()])
  return { failed: query.isError, refetch, work }
}
