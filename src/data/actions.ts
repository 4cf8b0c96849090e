// Queries for actions, with the operations in the outbox applied.
import { definedFields, overlayOf, useRecords } from './optimistic.ts'
import { byPosition } from './position.ts'
import { recordsQuery } from './record-queries.ts'

/** Applies operations to actions. */
export const overlayActions = overlayOf('actions', {
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
  const { query, records: actions } = useRecords('actions', overlayActions, byPosition)
  return { query, actions }
}
