// Converts a plan to form fields and back.
import type * as v from 'valibot'
import { validate, type Validated } from '../../../../contract/errors.ts'
import { SuccessPlanDraft, type SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { nonEmptyFields, type Fields } from '../../../widgets/editing/use-editor.tsx'

export type PlanField =
  | 'title'
  | 'type'
  | 'template_id'
  | 'account_id'
  | 'owner_id'
  | 'start_date'
  | 'end_date'
  | 'progress_mode'
  | 'update_cadence_days'
  | 'description'
  | 'success_criteria'

/** The fields of a new plan. */
export const blankPlan = (account_id: string, owner_id: string): Fields<PlanField> => ({
  title: '',
  type: 'customer',
  template_id: '',
  account_id,
  owner_id,
  start_date: '',
  end_date: '',
  progress_mode: 'manual',
  update_cadence_days: '',
  description: '',
  success_criteria: '',
})

/** The fields of an existing plan. */
export const planToFields = (plan: SuccessPlan): Fields<PlanField> => ({
  title: plan.title,
  type: plan.type,
  template_id: plan.template_id ?? '',
  account_id: plan.account_id ?? '',
  owner_id: plan.owner_id ?? '',
  start_date: plan.start_date ?? '',
  end_date: plan.end_date ?? '',
  progress_mode: plan.progress_mode,
  update_cadence_days: plan.update_cadence_days?.toString() ?? '',
  description: plan.description ?? '',
  success_criteria: plan.success_criteria ?? '',
})

/** Validates the fields with the contract's schema, which the server uses as well. */
export function checkPlan(
  fields: Fields<PlanField>,
): Validated<v.InferOutput<typeof SuccessPlanDraft>> {
  const { update_cadence_days: days, ...filled } = nonEmptyFields(fields)
  return validate(SuccessPlanDraft, {
    title: '',
    ...filled,
    ...(days !== undefined && { update_cadence_days: Number(days) }),
  })
}
