import type { Resolver } from 'react-hook-form'
import { validate } from '../../../contract/errors.ts'
import { SuccessPlanDraft } from '../../../contract/success-plans.ts'

/** The fields of the form as they are typed: empty for what is not said. */
export interface PlanFields {
  title: string
  type: 'customer' | 'project'
  account_id: string
  owner_id: string
  start_date: string
  end_date: string
  description: string
  success_criteria: string
}

/** Checks the form by the contract's schema, which is the server's too. */
export const planResolver: Resolver<PlanFields, unknown, SuccessPlanDraft> = (fields) => {
  const said = Object.entries(fields).filter(([, value]) => value !== '')
  const result = validate(SuccessPlanDraft, { title: '', ...Object.fromEntries(said) })
  if (result.ok) return { values: result.value, errors: {} }
  const errors = Object.entries(result.errors).map(([name, messages]) => [
    name,
    { type: 'contract', message: messages[0] },
  ])
  return { values: {}, errors: Object.fromEntries(errors) as object }
}
