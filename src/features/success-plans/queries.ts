import { endpoints } from '../../../contract/endpoints.ts'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/success-plans.ts'
import { collectionQuery, partitionQuery, recordQuery } from '../../sync/queries.ts'

/** Every plan of the active organisation, as the server said it. */
export const plansQuery = () => collectionQuery<SuccessPlan>('success_plans')

/** One plan; null when it is known not to exist. */
export const planQuery = (id: string) =>
  recordQuery<SuccessPlan>('success_plans', id, endpoints.getSuccessPlan)

/** The updates of one plan, in no order. */
export const planUpdatesQuery = (id: string) =>
  partitionQuery<SuccessPlanUpdate>('success_plan_updates', id)
