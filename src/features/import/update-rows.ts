import type * as v from 'valibot'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { validateForm, type FieldErrors } from '../../../contract/errors.ts'
import {
  SuccessPlanUpdateDraft,
  type SuccessPlan,
} from '../../../contract/schemas/success-plans.ts'
import { readNumber } from '../../ui/form/read-number.ts'
import { healthOf, instantOf } from './cells.ts'
import { importedId, namingAuthor } from './imported-id.ts'
import {
  findByName,
  normalizeName,
  notFound,
  type Columns,
  type ImportRow,
  type Table,
} from './table.ts'
import { updateColumns } from './column-messages.ts'
import { importMessages as messages } from './messages.ts'

export type UpdateColumn = keyof typeof updateColumns
export const UPDATE_COLUMNS: Columns<UpdateColumn> = updateColumns

/** A past update to import into the plan `plan_id`. */
export interface PastUpdate {
  plan_id: string
  update: v.InferOutput<typeof SuccessPlanUpdateDraft> & { id: string }
}

interface ImportContext {
  /** Whether the device has everything, so that what it does not have does not exist. */
  isWhole: boolean
  plans: readonly SuccessPlan[]
  accounts: readonly Account[]
  /** Ids of the updates that exist. */
  known: ReadonlySet<string>
  user: { name: string; email: string }
}

/**
 * The result for each row of an import of past updates. The id follows from plan, date, author and text, so
 * that the same row is never imported twice.
 */
export function updateRows(
  table: Table<UpdateColumn>,
  { plans, accounts, known, user, isWhole }: ImportContext,
): ImportRow<PastUpdate>[] {
  const taken = new Set(known)
  return table.rows.map(({ number, cells }) => {
    const { plan_id = '', account_id, written_at = '', author = '', ...rest } = cells
    const { body: text = '', progress, health } = rest
    const row = { number, title: plan_id, detail: text }
    const account = account_id && findByName(accounts, (one) => [one.name, one.id], account_id)
    const inAccount = plans.filter((plan) => !account || plan.account_id === idOf(account))
    const plan = findByName(inAccount, (one) => [one.title, one.id], plan_id)
    const errors: FieldErrors = {}
    if (account_id && !account)
      errors['account_id'] = [notFound(messages.noAccount, account_id, isWhole)]
    if (account === 'several') errors['account_id'] = [messages.several(account_id ?? '')]
    if (!plan) errors['plan_id'] = [notFound(messages.noPlan, plan_id, isWhole)]
    if (plan === 'several') errors['plan_id'] = [messages.severalPlans(plan_id)]
    const isOwn = [user.name, user.email].map(normalizeName).includes(normalizeName(author))
    const checked = validateForm(SuccessPlanUpdateDraft, {
      body: author === '' || isOwn ? text : namingAuthor(text, author),
      ...(written_at !== '' && { written_at: instantOf(written_at) }),
      // The progress of a plan that follows its actions cannot be set.
      ...(progress && followsUpdates(plan) && { progress: readNumber(progress) }),
      ...(health && { health: healthOf(health) }),
    })
    if (!checked.ok) return { ...row, errors: { ...checked.errors, ...errors } }
    if (!plan || plan === 'several' || Object.keys(errors).length > 0) return { ...row, errors }
    const id = importedId('update', plan.id, written_at, author, text, progress ?? '', health ?? '')
    if (taken.has(id)) return { ...row, known: true }
    taken.add(id)
    return { ...row, draft: { plan_id: plan.id, update: { ...checked.value, id } } }
  })
}

const idOf = (account: Account | 'several') => (account === 'several' ? undefined : account.id)

const followsUpdates = (plan: SuccessPlan | 'several' | undefined) =>
  typeof plan === 'object' && plan.progress_mode === 'manual'
