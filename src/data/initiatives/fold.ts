// What a screen shows of initiatives: what the server said, with what was said here since.
import type {
  Initiative,
  InitiativeDraft,
  InitiativeEdit,
} from '../../../contract/schemas/initiatives.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import { progressFromActions } from '../../../contract/rules.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { applyOperations, definedFields } from '../optimistic.ts'

/** The initiatives of the organisation with everything said here of them folded in. */
export const foldInitiatives = (
  cached: readonly Initiative[],
  operations: readonly Operation[],
): readonly Initiative[] =>
  applyOperations(cached, operations, {
    creation: 'createInitiative',
    edit: 'updateInitiative',
    fromCreate,
    applyEdit: (initiative, operation) => {
      const after: Initiative = {
        ...initiative,
        ...definedFields(operation.input.body as InitiativeEdit),
        updated_at: operation.created_at,
      }
      const isDone = after.status === 'completed' && initiative.status !== 'completed'
      // What it stays at without actions; with them it follows these.
      return isDone ? { ...after, progress: 100 } : after
    },
  })

function fromCreate(operation: Operation): Initiative | undefined {
  const { id, ...body } = operation.input.body as InitiativeDraft
  if (id === undefined) return undefined
  return {
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
    version: 0,
    created_by: operation.user_id,
    created_at: operation.created_at,
    updated_at: operation.created_at,
    id,
    title: body.title,
    ...definedFields(body),
  }
}

/** An initiative where its actions put it, by the rule that the server uses. */
export function following(initiative: Initiative, actions: readonly Action[]): Initiative {
  const progress = progressFromActions(actions, initiative.progress)
  return progress === initiative.progress ? initiative : { ...initiative, progress }
}
