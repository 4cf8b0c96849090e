// Links from an operation to the screen that shows and edits its record.
import { useQuery } from '@tanstack/react-query'
import { callInfo, type ResourceName } from '../../../contract/resources.ts'
import { bodyFields, isCall, recordIdOf } from '../../data/operations/operation-call.ts'
import { recordsQuery } from '../../data/record-queries.ts'
import type { Operation } from '../../sync/core/operation.ts'

type Path = string | undefined

const workPath = (plan_id: string | null | undefined) =>
  plan_id ? `/success-plans/${plan_id}?show=initiatives` : '/initiatives'

/** The path of each resource's records; `plan_id` is the plan that one belongs to. */
const paths: Record<ResourceName, (id: string, plan_id: string | null | undefined) => Path> = {
  success_plans: (id) => `/success-plans/${id}?edit`,
  success_plan_updates: (id) => `/success-plans/${id}`,
  accounts: (id) => `/accounts/${id}?edit`,
  initiatives: (_id, plan_id) => workPath(plan_id),
  actions: (_id, plan_id) => workPath(plan_id),
  templates: () => undefined,
  organisation_users: () => undefined,
}

/**
 * The path of the screen that edits what an operation wrote; undefined if there is none. `planOf`
 * returns the plan of an initiative or an action.
 */
export function operationLink(
  operation: Pick<Operation, 'endpoint' | 'input'>,
  planOf: (id: string) => string | null | undefined,
): Path {
  if (isCall(operation, 'updateUserinfo')) return '/settings/profile'
  if (isCall(operation, 'updateNotificationConsents')) return '/settings/notifications'
  const info = callInfo(operation.endpoint)
  if (!info) return undefined
  const id = recordIdOf(operation) ?? ''
  const { success_plan_id } = bodyFields(operation.input)
  return paths[info.resource](
    id,
    typeof success_plan_id === 'string' ? success_plan_id : planOf(id),
  )
}

/** The plan of an initiative or an action on this device. */
export function usePlanIdOf(): (id: string) => string | null | undefined {
  const initiatives = useQuery(recordsQuery('initiatives')).data
  const actions = useQuery(recordsQuery('actions')).data
  return (id) =>
    [...(initiatives ?? []), ...(actions ?? [])].find((record) => record.id === id)?.success_plan_id
}
