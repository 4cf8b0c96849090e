// Converts the form of an outcome to the edit of its account.
import type * as v from 'valibot'
import {
  RENEWAL_OUTCOMES,
  RenewalDraft,
  type Account,
  type AccountEdit,
} from '../../../contract/schemas/accounts.ts'
import { validateForm, type Validated } from '../../../contract/errors.ts'
import { newId } from '../../sync/browser/new-id.ts'
import { currencyOf } from '../../ui/form/currency-of.ts'
import { readNumber, writeNumber } from '../../ui/form/read-number.ts'
import { nonEmptyFields, type Fields } from '../../widgets/editing/use-editor.tsx'
import { outcomeMessages as messages } from './messages.ts'

export type OutcomeField = keyof typeof messages.fields
type Outcome = v.InferOutput<typeof RenewalDraft>

/** The same day a year later; the 1st of March for a leap day. */
function yearAfter(day: string): string {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year + 1, month - 1, date)).toISOString().slice(0, 10)
}

/** The fields for the renewal that is up on `due`: renewed for a year at the same amount. */
export const blankOutcome = ({ arr }: Account, due: string): Fields<OutcomeField> => ({
  outcome: RENEWAL_OUTCOMES[0],
  amount: writeNumber(arr),
  next_date: yearAfter(due),
  note: '',
})

/** Validates the fields with the contract's schema. What the outcome does not need is left out. */
export function checkOutcome(
  fields: Fields<OutcomeField>,
  due: string,
  currency: string,
): Validated<Outcome> {
  const { outcome, amount, next_date, note } = nonEmptyFields(fields)
  const isRenewed = outcome === 'renewed'
  const isOver = outcome === 'churned'
  if (!isOver && (next_date === undefined || next_date <= due))
    return {
      ok: false,
      errors: { next_date: [next_date ? messages.nextTooEarly : messages.nextMissing] },
    }
  const checked = validateForm(RenewalDraft, {
    id: newId(),
    due,
    outcome,
    ...(isRenewed && amount !== undefined && { amount: readNumber(amount) }),
    ...(!isOver && { next_date }),
    ...(note !== undefined && { note }),
    recorded_at: new Date().toISOString(),
  })
  if (checked.ok && isRenewed && amount && currencyOf(amount, currency) !== currency)
    return { ok: false, errors: { amount: [messages.otherCurrency(currency)] } }
  return checked
}

/** The edit of the account that an outcome means. */
export function editFor(
  { arr, status }: Account,
  outcome: Outcome,
): v.InferOutput<typeof AccountEdit> {
  const { amount, next_date } = outcome
  return {
    renewal_outcome: outcome,
    ...(next_date && { renewal_date: next_date }),
    ...(typeof amount === 'number' && amount !== arr && { arr: amount }),
    ...(outcome.outcome === 'churned' && status !== 'churned' && { status: 'churned' }),
  }
}
