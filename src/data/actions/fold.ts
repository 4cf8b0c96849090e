// What a screen shows of actions: what the server said, with what was said here since.
import type { Action, ActionDraft, ActionEdit } from '../../../contract/schemas/actions.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { applyOperations, definedFields } from '../optimistic.ts'

/** The actions of the organisation with everything said here folded in. */
export const foldActions = (
  cached: readonly Action[],
  operations: readonly Operation[],
): readonly Action[] =>
  applyOperations(cached, operations, {
    creation: 'createAction',
    edit: 'updateAction',
    fromCreate,
    applyEdit: (action, operation) => {
      const { id: _id, ...body } = operation.input.body as ActionEdit
      return { ...ticked({ ...action, ...contentOf(body) }), updated_at: operation.created_at }
    },
  })

function fromCreate(operation: Operation): Action | undefined {
  const { id, ...body } = operation.input.body as ActionDraft
  if (id === undefined) return undefined
  return ticked({
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
    version: 0,
    created_by: operation.user_id,
    created_at: operation.created_at,
    updated_at: operation.created_at,
    id,
    title: body.title,
    ...contentOf(body),
  })
}

/** The fields that a request names, in the shape in which records are read. */
function contentOf({ assignee_contact, ...body }: Omit<ActionEdit, 'id'>): Partial<Action> {
  const contact = assignee_contact && {
    name: assignee_contact.name,
    email: assignee_contact.email ?? null,
  }
  return {
    ...definedFields(body),
    ...(assignee_contact !== undefined && { assignee_contact: contact ?? null }),
  }
}

/** Only what is done says since when. */
const ticked = (action: Action): Action =>
  action.status === 'done' ? action : { ...action, completed_at: null }
