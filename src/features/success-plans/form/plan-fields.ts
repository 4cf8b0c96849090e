// Converts a plan to form fields and back.
import type * as v from 'valibot'
import { validateForm, type Validated } from '../../../../contract/errors.ts'
import { SuccessPlanDraft, type SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { bodyFields } from '../../../data/operations/operation-call.ts'
import type { Operation } from '../../../sync/core/operation.ts'
import { fieldLabels } from '../../../data/operations/field-labels.ts'
import { formFields, withoutErrors } from '../../../widgets/editing/form-fields.ts'
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

/** The fields of an existing plan, with what is known only while the server does not have it, if it is `created` here. */
export const planToFields = (plan: SuccessPlan, created?: Operation): Fields<PlanField> => ({
  ...textFields(plan, NAMES),
  skip_weekends: created && bodyFields(created.input)['skip_weekends'] === true ? 'yes' : '',
})

type Checked = Validated<v.InferOutput<typeof SuccessPlanDraft>>

/**
 * Validates a new plan with the contract's schema. A plan of a customer needs its account, unless the server does not
 * keep whose plan it is.
 */
export const checkDraft = (draft: object, keeps: (field: string) => boolean): Checked =>
  withoutErrors(
    validateForm(SuccessPlanDraft, draft),
    (path) => path === 'account_id' && !(keeps('account_id') && keeps('type')),
  )

/** Validates the fields with the contract's schema, which the server uses as well. */
export function checkPlan(fields: Fields<PlanField>, keeps: (field: string) => boolean): Checked {
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
