// Links from an operation to the screen that shows and edits its record.
import { useQuery } from '@tanstack/react-query'
import { callInfo, resourceOf, type ResourceName } from '../../../contract/resources.ts'
import { bodyFields, isCall, recordIdOf } from '../../data/operations/operation-call.ts'
import { recordsQuery } from '../../data/record-queries.ts'
import { LIST_ADDRESSES, readStored, type ListName } from '../../widgets/table/view-lists.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { planPath } from '../../ui/platform/record-path.ts'

type Path = string | undefined
type Work = { id: string; success_plan_id: string | null }
type PlanOf = (of: ResourceName, id: string) => string | null | undefined

const workPath = (plan_id: string | null | undefined) =>
  plan_id ? `${planPath(plan_id)}?show=initiatives` : '/initiatives'

/** The list of a saved view as the view shows it. */
function viewLink(stored: unknown): Path {
  const { list, search } = readStored(String(stored))
  return Object.hasOwn(LIST_ADDRESSES, list) ? LIST_ADDRESSES[list as ListName] + search : undefined
}

/** Resources whose records are edited on the screen of their plan. */
const WORK: readonly ResourceName[] = ['initiatives', 'actions']

/**
 * The path of the screen that edits what an operation wrote; undefined if there is none. `planOf`
 * returns the plan of an initiative or an action.
 */
export function operationLink(
  operation: Pick<Operation, 'endpoint' | 'input'>,
  planOf: PlanOf,
): Path {
  if (isCall(operation, 'updateUserinfo')) return '/settings/profile'
  if (isCall(operation, 'updateNotificationConsents')) return '/settings/notifications'
  if (isCall(operation, 'putSavedView')) return viewLink(bodyFields(operation.input)['search'])
  const info = callInfo(operation.endpoint)
  // What is deleted is not edited.
  if (!info || info.kind === 'delete') return undefined
  const id = recordIdOf(operation) ?? ''
  const { success_plan_id } = bodyFields(operation.input)
  if (!WORK.includes(info.resource))
    return resourceOf(info.resource).screen?.replace('{id}', () => encodeURIComponent(id))
  return workPath(typeof success_plan_id === 'string' ? success_plan_id : planOf(info.resource, id))
}

/** The plan of an initiative or an action on this device. */
export function usePlanIdOf(): PlanOf {
  const initiatives = useQuery(recordsQuery('initiatives')).data
  const actions = useQuery(recordsQuery('actions')).data
  return (of, id) => {
    const records: readonly Work[] | undefined = of === 'actions' ? actions : initiatives
    return records?.find((record) => record.id === id)?.success_plan_id
  }
}
