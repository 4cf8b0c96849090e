import type * as v from 'valibot'
import { validateForm, type Validated } from '../../../contract/errors.ts'
import { SuccessPlanDraft } from '../../../contract/schemas/success-plans.ts'
import { withoutErrors } from '../../ui/form/without-errors.ts'

export type CheckedDraft = Validated<v.InferOutput<typeof SuccessPlanDraft>>
/** Whether the server keeps that field of plans. */
export type Keeps = (field: string) => boolean

/**
 * Validates a new plan with the contract's schema, which the server uses as well. A plan of a customer needs its
 * account, unless the server does not keep whose plan it is.
 */
export const checkDraft = (draft: object, keeps: Keeps): CheckedDraft =>
  withoutErrors(
    validateForm(SuccessPlanDraft, draft),
    (path) => path === 'account_id' && !(keeps('account_id') && keeps('type')),
  )
