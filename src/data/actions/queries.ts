// Cache and outbox together: the actions as a screen shows them.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Action } from '../../../contract/schemas/actions.ts'
import { collectionQuery } from '../../sync/react/query-options.ts'
import { useOperations } from '../../sync/react/use-sync.ts'
import { byPosition } from '../position.ts'
import { foldActions } from './fold.ts'

/** Every action of the active organisation, as the server said it. */
export const actionsQuery = () => collectionQuery<Action>('actions')

/** All actions of the active organisation in their order; undefined until the device or the server has answered. */
export function useActions() {
  const query = useQuery(actionsQuery())
  const operations = useOperations()
  const actions = useMemo(() => {
    const folded = foldActions(query.data ?? [], operations)
    return query.data === undefined && folded.length === 0 ? undefined : folded.toSorted(byPosition)
  }, [query.data, operations])
  return { query, actions }
}
