// Queries for initiatives, with the operations in the outbox applied.
import { useMemo } from 'react'
import { progressFromActions } from '../../contract/rules.ts'
import type { Action } from '../../contract/schemas/actions.ts'
import type { Initiative } from '../../contract/schemas/initiatives.ts'
import { useReadReport } from '../sync/react/use-sync.ts'
import { useActions } from './actions.ts'
import { overlayOf, useRecords } from './optimistic.ts'
import { byPosition } from './position.ts'
import { mayLack } from './record-queries.ts'

/** Applies operations to initiatives. Progress from their actions is applied by `followActions`. */
export const overlayInitiatives = overlayOf('initiatives', {
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
  /** False until the actions were read; a server may never answer their list. */
  areActionsRead: boolean
}

/**
 * All initiatives of the active organisation, by position, with their actions and the progress
 * calculated from those. `ungrouped` are the actions without an initiative; `ids` are those of all initiatives and
 * actions, undefined until all were read. `work` is undefined while loading. `isRead` says that it has all records of
 * the server, not only those that wait to be sent.
 */
export function useInitiatives() {
  const { query, records } = useRecords('initiatives', overlayInitiatives, byPosition)
  const { query: actionsQuery, actions } = useActions()
  const isRead = query.isSuccess && actionsQuery.isSuccess
  const report = useReadReport()
  // A first page alone makes a query a success.
  const isWhole = isRead && !mayLack('initiatives', report) && !mayLack('actions', report)
  const work = useMemo(() => {
    if (!records) return undefined
    const byInitiative = Map.groupBy(actions ?? [], ({ initiative_id }) => initiative_id)
    const initiatives = records.map((initiative): InitiativeWork => {
      const own = byInitiative.get(initiative.id) ?? []
      return {
        initiative: followActions(initiative, own),
        actions: own,
        areActionsRead: actions !== undefined,
      }
    })
    const ids = isWhole && new Set([...records, ...(actions ?? [])].map(({ id }) => id))
    return { initiatives, ungrouped: byInitiative.get(null) ?? [], ids: ids || undefined }
  }, [records, actions, isWhole])
  const refetch = () => Promise.all([query.refetch(), actionsQuery.refetch()])
  const { isError, error } = query
  const isPending = query.isPending || actionsQuery.isPending
  return { query: { isError, error, isPending, isRead, refetch }, work }
}
