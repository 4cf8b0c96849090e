// What an operation is called where all kinds of them stand together.
import type { SuccessPlan } from '../../contract/success-plans.ts'
import type { Operation } from '../sync/operation.ts'
import { syncWords as words } from './words.ts'

interface Said {
  title?: string
  name?: string
  body?: string
  description?: string | null
}

/** The title of what was said; `plans` are those of the active organisation. */
export function titleOf(
  operation: Pick<Operation, 'endpoint' | 'input'>,
  plans: readonly SuccessPlan[] | undefined,
): string {
  const said = operation.input.body as Said
  const id = operation.input.path?.id
  const planTitle = plans?.find((plan) => plan.id === id)?.title
  switch (operation.endpoint) {
    case 'postPlanUpdate':
      return planTitle === undefined ? words.update : words.updateOf(planTitle)
    case 'createSuccessPlan':
      return words.newPlan(said.title ?? '')
    case 'updateSuccessPlan':
      return words.planEdit(planTitle ?? words.unnamed)
    case 'createAccount':
      return words.accountNew(said.name ?? '')
    case 'updateAccount':
      return words.accountEdit
    default:
      return words.profile
  }
}

/** What was written, to show and to copy. */
export function textOf({ endpoint, input }: Pick<Operation, 'endpoint' | 'input'>): string {
  const said = input.body as Said
  if (endpoint === 'postPlanUpdate') return said.body ?? ''
  return said.description ?? ''
}
