// Actions as the screens show them.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOperations } from '../sync/react/use-sync.ts'
import { definedFields, overlayOf } from './optimistic.ts'
import { byPosition } from './position.ts'
import { recordsQuery } from './record-queries.ts'

/** The actions with the operations applied. */
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
  // Only a done action has a time at which it was completed.
  derive: (action) => (action.status === 'done' ? action : { ...action, completed_at: null }),
})

/** Every action of the active organisation, as the server last sent it. */
export const actionsQuery = () => recordsQuery('actions')

/** All actions of the active organisation in their order; undefined until the device or the server has answered. */
export function useActions() {
  const query = useQuery(actionsQuery())
  const operations = useOperations()
  const actions = useMemo(() => {
    const all = overlayActions(query.data ?? [], operations)
    return query.data === undefined && all.length === 0 ? undefined : all.toSorted(byPosition)
  }, [query.data, operations])
  return { query, actions }
}
