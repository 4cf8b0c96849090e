// Converts a plan to form fields and back.
import type * as v from 'valibot'
import { validateForm, type Validated } from '../../../../contract/errors.ts'
import { SuccessPlanDraft, type SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { fieldLabels } from '../../../data/operations/field-labels.ts'
import { formFields } from '../../../widgets/editing/form-fields.ts'
import { nonEmptyFields, textFields, type Fields } from '../../../widgets/editing/use-editor.tsx'
import { planFormMessages as messages } from '../plan-messages.ts'

const NAMES = formFields(SuccessPlanDraft.entries, 'id', 'status', 'health', 'progress')
type PlanField = (typeof NAMES)[number]

export const planLabels = { ...fieldLabels(NAMES), progress_mode: messages.progressMode }

/** The fields of a new plan. */
export const blankPlan = (account_id: string, owner_id: string): Fields<PlanField> => ({
  ...textFields({}, NAMES),
  type: 'customer',
  progress_mode: 'manual',
  account_id,
  owner_id,
})

/** The fields of an existing plan. */
export const planToFields = (plan: SuccessPlan): Fields<PlanField> => textFields(plan, NAMES)

/** Validates the fields with the contract's schema, which the server uses as well. */
export function checkPlan(
  fields: Fields<PlanField>,
): Validated<v.InferOutput<typeof SuccessPlanDraft>> {
  const { update_cadence_days: days, skip_weekends, ...filled } = nonEmptyFields(fields)
  return validateForm(SuccessPlanDraft, {
    title: '',
    ...filled,
    ...(days !== undefined && { update_cadence_days: Number(days) }),
    ...(skip_weekends !== undefined && { skip_weekends: true }),
  })
}
