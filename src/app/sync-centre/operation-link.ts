// Links from an operation to the screen that shows and edits its record.
import { useQuery } from '@tanstack/react-query'
import { recordIdOf } from '../../data/operations/describe-operation.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { collectionQuery } from '../../sync/react/query-options.ts'

interface PlanChild {
  id: string
  success_plan_id?: string | null
}

/**
 * The path of the screen that edits what an operation wrote; undefined if there is none. `planOf`
 * returns the plan of an initiative or an action.
 */
export function operationLink(
  operation: Pick<Operation, 'endpoint' | 'input'>,
  planOf: (id: string) => string | null | undefined,
): string | undefined {
  const id = recordIdOf(operation) ?? ''
  const { success_plan_id } = (operation.input.body ?? {}) as Partial<PlanChild>
  switch (operation.endpoint) {
    case 'createSuccessPlan':
    case 'updateSuccessPlan':
      return `/success-plans/${id}?edit`
    case 'postPlanUpdate':
      return `/success-plans/${id}`
    case 'createAccount':
    case 'updateAccount':
      return `/accounts/${id}?edit`
    case 'createInitiative':
    case 'updateInitiative':
    case 'createAction':
    case 'updateAction': {
      const plan_id = success_plan_id ?? planOf(id)
      return plan_id ? `/success-plans/${plan_id}?show=initiatives` : '/initiatives'
    }
    case 'updateUserinfo':
      return '/settings/profile'
    case 'updateNotificationConsents':
      return '/settings/notifications'
    default:
      return undefined
  }
}

/** The plan of an initiative or an action on this device. */
export function usePlanIdOf(): (id: string) => string | null | undefined {
  const initiatives = useQuery(collectionQuery<PlanChild>('initiatives')).data
  const actions = useQuery(collectionQuery<PlanChild>('actions')).data
  return (id) =>
    [initiatives, actions].flatMap((records) => records ?? []).find((record) => record.id === id)
      ?.success_plan_id
}
