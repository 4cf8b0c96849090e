// Converts a plan to form fields and back.
import { SuccessPlanDraft, type SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { bodyFields } from '../../../data/operations/operation-call.ts'
import type { Operation } from '../../../sync/core/operation.ts'
import {
  checkDraft,
  type CheckedDraft,
  type Keeps,
} from '../../../data/success-plans/check-draft.ts'
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

/** The fields of an existing plan; of one that was only `created` here also whether its work skips weekends. */
export const planToFields = (plan: SuccessPlan, created?: Operation): Fields<PlanField> => ({
  ...textFields(plan, NAMES),
  skip_weekends: created && bodyFields(created.input)['skip_weekends'] === true ? 'yes' : '',
})

/** Validates the fields with the contract's schema, which the server uses as well. */
export function checkPlan(fields: Fields<PlanField>, keeps: Keeps): CheckedDraft {
  const { update_cadence_days: days, skip_weekends, ...filled } = nonEmptyFields(fields)
  return checkDraft(
    {
      title: '',
      ...filled,
      ...(days !== undefined && { update_cadence_days: Number(days) }),
      ...(skip_weekends !== undefined && { skip_weekends: true }),
    },
    keeps,
  )
}
