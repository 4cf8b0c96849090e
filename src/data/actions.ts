// Queries for actions, with the operations in the outbox applied.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOperations } from '../sync/react/use-sync.ts'
import { definedFields, overlayOf } from './optimistic.ts'
import { byPosition } from './position.ts'
import { recordsQuery } from './record-queries.ts'

/** Applies operations to actions. */
export const overlayActions = overlayOf('actions', {
  defaults: () => ({
    title: '',
    success_plan_id: null,
    initiative_id: null,
    account_id: null,
    description: null,
    status: 'todo',
    priority: null,
    due_date: null,
    assignee_id: null,
    assignee_contact: null,
    completed_at: null,
    position: 0,
  }),
  fieldsOf: ({ assignee_contact, ...body }) => {
    const contact = assignee_contact && {
      name: assignee_contact.name,
      email: assignee_contact.email ?? null,
    }
    return {
      ...definedFields(body),
      ...(assignee_contact !== undefined && { assignee_contact: contact ?? null }),
    }
  },
  // As on the server: only a done action has a completion time.
  derive: (action) => (action.status === 'done' ? action : { ...action, completed_at: null }),
})

/** All actions of the active organisation as the server last sent them, without operations. */
export const actionsQuery = () => recordsQuery('actions')

/** All actions of the active organisation, by position; undefined while loading. */
export function useActions() {
  const query = useQuery(actionsQuery())
  const operations = useOperations()
  const actions = useMemo(() => {
    const all = overlayActions(query.data ?? [], operations)
    return query.data === undefined && all.length === 0 ? undefined : all.toSorted(byPosition)
  }, [query.data, operations])
  return { query, actions }
}
