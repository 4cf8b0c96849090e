import type * as v from 'valibot'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { validate, type FieldErrors } from '../../../contract/errors.ts'
import type { OrganisationUser } from '../../../contract/schemas/people.ts'
import { SuccessPlanDraft, type SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { dayOf, numberOf, wordOf } from './cells.ts'
import { findByName, normalizeName, type Columns, type ImportRow, type Table } from './table.ts'
import { planColumns } from './column-messages.ts'
import { importMessages as messages } from './messages.ts'

export type PlanColumn = keyof typeof planColumns

/** Also the columns of the export, so that an exported file can be imported. */
export const PLAN_COLUMNS: Columns<PlanColumn> = planColumns

export type NewPlan = v.InferOutput<typeof SuccessPlanDraft>

interface ImportContext {
  plans: readonly SuccessPlan[]
  accounts: readonly Account[]
  members: readonly OrganisationUser[]
}

/**
 * The result for each row of a plan import. A row whose title already exists in its account is skipped.
 */
export function planRows(
  table: Table<PlanColumn>,
  { plans, accounts, members }: ImportContext,
): ImportRow<NewPlan>[] {
  const keyOf = (title: string, account_id: string | null | undefined) =>
    JSON.stringify([normalizeName(title), account_id ?? null])
  const knownTitles = new Set(plans.map(({ title, account_id }) => keyOf(title, account_id)))
  return table.rows.map(({ number, cells }) => {
    const { title = '', account_id, owner_id, progress, update_cadence_days, ...text } = cells
    const row = { number, title, detail: account_id ?? '' }
    const account = account_id && findByName(accounts, (one) => [one.name, one.id], account_id)
    const owner = owner_id && findByName(members, (one) => [one.email, one.name], owner_id)
    const errors: FieldErrors = {}
    if (account_id && !account) errors['account_id'] = [messages.noAccount(account_id)]
    if (account === 'several') errors['account_id'] = [messages.several(account_id ?? '')]
    if (owner_id && !owner) errors['owner_id'] = [messages.unknownMember(owner_id)]
    if (owner === 'several') errors['owner_id'] = [messages.several(owner_id ?? '')]
    const checked = validate(SuccessPlanDraft, {
      title,
      ...text,
      // The app itself writes `Customer plan`.
      ...(text.type && { type: wordOf(text.type).replace(/-plan$/, '') }),
      ...(text.status && { status: wordOf(text.status) }),
      ...(text.health && { health: wordOf(text.health) }),
      ...(text.start_date && { start_date: dayOf(text.start_date) }),
      ...(text.end_date && { end_date: dayOf(text.end_date) }),
      ...(progress && { progress: numberOf(progress) }),
      ...(update_cadence_days && { update_cadence_days: numberOf(update_cadence_days) }),
      ...(account && account !== 'several' && { account_id: account.id }),
      ...(owner && owner !== 'several' && { owner_id: owner.user_id }),
    })
    if (!checked.ok) return { ...row, errors: { ...checked.errors, ...errors } }
    if (Object.keys(errors).length > 0) return { ...row, errors }
    const key = keyOf(title, checked.value.account_id)
    if (knownTitles.has(key)) return { ...row, known: true }
    knownTitles.add(key)
    return { ...row, draft: checked.value }
  })
}
