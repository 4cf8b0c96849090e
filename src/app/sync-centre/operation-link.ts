// Links from an operation to the screen that shows and edits its record.
import { useQuery } from '@tanstack/react-query'
import { callInfo, resourceOf } from '../../../contract/resources.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import { bodyFields, isCall, recordIdOf } from '../../data/operations/operation-call.ts'
import { recordsQuery } from '../../data/record-queries.ts'
import { LIST_ADDRESSES, readStored, type ListName } from '../../widgets/table/view-lists.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { actionPath, initiativePath } from '../../ui/platform/work-path.ts'

type Path = string | undefined
type Parents = Pick<Action, 'success_plan_id' | 'initiative_id' | 'account_id'>
type ParentsOf = (action_id: string) => Parents | undefined

/** The list of a saved view as the view shows it. */
function viewLink(stored: unknown): Path {
  const { list, search } = readStored(String(stored))
  return Object.hasOwn(LIST_ADDRESSES, list) ? LIST_ADDRESSES[list as ListName] + search : undefined
}

/** The path to the row of an action. Its parents are those that the operation sets, else those that are known. */
function actionLink(id: string, body: Record<string, unknown>, known: Parents | undefined): Path {
  const parent = (field: keyof Parents) => {
    const value = field in body ? body[field] : known?.[field]
    return typeof value === 'string' ? value : null
  }
  return actionPath({
    id,
    initiative_id: parent('initiative_id'),
    success_plan_id: parent('success_plan_id'),
    account_id: parent('account_id'),
  })
}

/**
 * The path of the screen that edits what an operation wrote; undefined if there is none. `parentsOf`
 * returns an action of this device.
 */
export function operationLink(
  operation: Pick<Operation, 'endpoint' | 'input'>,
  parentsOf: ParentsOf,
): Path {
  if (isCall(operation, 'updateUserinfo')) return '/settings/profile'
  if (isCall(operation, 'updateNotificationConsents')) return '/settings/notifications'
  const body = bodyFields(operation.input)
  if (isCall(operation, 'putSavedView')) return viewLink(body['search'])
  const info = callInfo(operation.endpoint)
  // What is deleted is not edited.
  if (!info || info.kind === 'delete') return undefined
  const id = recordIdOf(operation) ?? ''
  if (info.resource === 'initiatives') return `${initiativePath(id)}&edit`
  if (info.resource === 'actions') return actionLink(id, body, parentsOf(id))
  return resourceOf(info.resource).screen?.replace('{id}', () => encodeURIComponent(id))
}

/** The parents of an action on this device. */
export function useParentsOf(): ParentsOf {
  const actions: readonly Action[] | undefined = useQuery(recordsQuery('actions')).data
  return (action_id) => actions?.find(({ id }) => id === action_id)
}
