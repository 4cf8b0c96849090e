import * as v from 'valibot'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { validateForm, type FieldErrors } from '../../../contract/errors.ts'
import type { OrganisationUser } from '../../../contract/schemas/people.ts'
import {
  SuccessPlanUpdateDraft,
  type SuccessPlan,
  type SuccessPlanDraft,
} from '../../../contract/schemas/success-plans.ts'
import type { Template } from '../../../contract/schemas/templates.ts'
import { oneOf } from '../../../contract/schemas/fields.ts'
import { PLAN_STATUSES } from '../../../contract/values.ts'
import type { Cell } from './csv.ts'
import { checkDraft, type Keeps } from '../../data/success-plans/check-draft.ts'
import { readNumber } from '../../ui/form/read-number.ts'
import { dayOf, healthOf, instantOf, statusOf, wordOf } from './cells.ts'
import { namingAuthor } from './imported-id.ts'
import {
  findByName,
  normalizeName,
  notFound,
  type Columns,
  type ImportRow,
  type Table,
} from './table.ts'
import { cellWords, planColumns } from './column-messages.ts'
import { importMessages as messages } from './messages.ts'

export type PlanColumn = keyof typeof planColumns

/** Also the columns of the export, so that an exported file can be imported. */
export const PLAN_COLUMNS: Columns<PlanColumn> = planColumns

/** Names the records that a plan refers to: a template by its title, people by their user id. */
type NameOfReference = (
  of: 'accounts' | 'organisation_users' | 'templates',
  id: string | null,
) => string | null | undefined

/** The cells of a plan that an import reads, for exports. */
export const planCells = (plan: SuccessPlan, nameOf: NameOfReference): [string, Cell][] => [
  [planColumns.title.title, plan.title],
  [planColumns.type.title, plan.type],
  [planColumns.account_id.title, nameOf('accounts', plan.account_id) ?? null],
  [planColumns.owner_id.title, nameOf('organisation_users', plan.owner_id) ?? null],
  [planColumns.status.title, plan.status],
  [planColumns.health.title, plan.health],
  [planColumns.progress.title, plan.progress],
  [planColumns.start_date.title, plan.start_date ?? without(plan)],
  [planColumns.end_date.title, plan.end_date ?? without(plan)],
  [planColumns.update_cadence_days.title, plan.update_cadence_days ?? without(plan)],
  [planColumns.template_id.title, nameOf('templates', plan.template_id) ?? null],
  [planColumns.description.title, plan.description],
  [planColumns.success_criteria.title, plan.success_criteria],
  [planColumns.outcome.title, plan.outcome],
  [planColumns.close_note.title, plan.close_note],
  [planColumns.update_date.title, plan.last_update_at ?? null],
]

/** An empty cell would take the value of the plan's template. */
const without = ({ template_id }: SuccessPlan): Cell =>
  template_id === null ? null : cellWords.none
const isNone = (cell: string) => normalizeName(cell) === cellWords.none

/** A plan to import, with the updates that bring it to its status. */
export interface NewPlan extends v.InferOutput<typeof SuccessPlanDraft> {
  updates: v.InferOutput<typeof SuccessPlanUpdateDraft>[]
  /** A plan is completed with an outcome. One that the list does not name is cleared after it. */
  clears?: { outcome: null }
  /** The plan of an import that was interrupted before its updates were saved. */
  saved_id?: string
}

interface ImportContext {
  /** Whether the device has everything, so that what it does not have does not exist. */
  isWhole: boolean
  plans: readonly SuccessPlan[]
  accounts: readonly Account[]
  members: readonly OrganisationUser[]
  templates: readonly Pick<Template, 'id' | 'title' | 'type'>[]
  /** Who imports: named as the author of an update only by others. */
  user: { name: string; email: string }
  /** Whether the server does not have that plan yet; many servers count no versions. */
  isUnsent: (id: string) => boolean
  keeps: Keeps
}

/**
 * The result for each row of a plan import. A row is skipped if its account has a plan of this title already, or the
 * list has the same row before it. Of several rows with one title each stands for a plan of its own, as in an export.
 */
export function planRows(
  table: Table<PlanColumn>,
  { plans, accounts, members, templates, user, isUnsent, keeps, isWhole }: ImportContext,
): ImportRow<NewPlan>[] {
  const keyOf = (title: string, account_id: string | null | undefined) =>
    JSON.stringify([normalizeName(title), account_id ?? null])
  const known = Map.groupBy(plans, (plan) => keyOf(plan.title, plan.account_id))
  const rows = new Set<string>()
  return table.rows.map(({ number, cells }) => {
    const {
      title = '',
      account_id,
      owner_id,
      template_id,
      type,
      health,
      start_date,
      end_date,
    } = cells
    const { progress, update_cadence_days: cadence, description, success_criteria } = cells
    const row = { number, title, detail: account_id ?? '' }
    const account = account_id && findByName(accounts, (one) => [one.name, one.id], account_id)
    const owner =
      owner_id && findByName(members, (one) => [one.email, one.name, one.user_id], owner_id)
    const template = template_id && findByName(templates, (one) => [one.title, one.id], template_id)
    const errors: FieldErrors = {}
    if (account_id && !account)
      errors['account_id'] = [notFound(messages.noAccount, account_id, isWhole)]
    if (account === 'several') errors['account_id'] = [messages.several(account_id ?? '')]
    if (owner_id && !owner)
      errors['owner_id'] = [notFound(messages.unknownMember, owner_id, isWhole)]
    if (owner === 'several') errors['owner_id'] = [messages.several(owner_id ?? '')]
    if (template_id && !template)
      errors['template_id'] = [notFound(messages.noTemplate, template_id, isWhole)]
    if (template === 'several') errors['template_id'] = [messages.several(template_id ?? '')]
    const history = historyOf(cells, user)
    Object.assign(errors, history.errors)
    const input = {
      title,
      status: history.status,
      description,
      success_criteria,
      ...(template && template !== 'several' && { template_id: template.id, type: template.type }),
      // The app itself writes `Customer plan`.
      ...(type && { type: wordOf(type).replace(/-plan$/, '') }),
      ...(health && { health: healthOf(health) }),
      ...(start_date && { start_date: isNone(start_date) ? null : dayOf(start_date) }),
      ...(end_date && { end_date: isNone(end_date) ? null : dayOf(end_date) }),
      ...(progress && { progress: readNumber(progress) }),
      ...(cadence && { update_cadence_days: isNone(cadence) ? null : readNumber(cadence) }),
      ...(account && account !== 'several' && { account_id: account.id }),
      ...(owner && owner !== 'several' && { owner_id: owner.user_id }),
    }
    const checked = checkDraft(input, keeps)
    if (!checked.ok) return { ...row, errors: { ...checked.errors, ...errors } }
    if (Object.keys(errors).length > 0) return { ...row, errors }
    const isCompleted = history.updates.at(-1)?.status === 'completed'
    const draft: NewPlan = {
      ...checked.value,
      updates: history.updates,
      ...(isCompleted && !cells.outcome && keeps('outcome') && { clears: { outcome: null } }),
    }
    const same = JSON.stringify(draft)
    if (rows.has(same)) return { ...row, known: true }
    rows.add(same)
    const left = known.get(keyOf(title, draft.account_id)) ?? []
    const end = draft.updates.at(-1)?.status ?? draft.status
    const finished = left.find((plan) => plan.status === end)
    const unfinished = left.find((plan) => isUnsent(plan.id) && lacksUpdates(plan, draft))
    const plan = finished ?? unfinished ?? left[0]
    if (!plan) return { ...row, draft }
    left.splice(left.indexOf(plan), 1)
    return plan === unfinished
      ? { ...row, draft: { ...draft, saved_id: plan.id } }
      : { ...row, known: true }
  })
}

/** Whether an interrupted import has saved the plan, which is unsent, and not what comes after it. */
const lacksUpdates = (saved: SuccessPlan, { status, updates }: NewPlan): boolean =>
  updates.length > 0 && !saved.last_update_at && saved.status === status

const PlanStatus = v.object({ status: oneOf(PLAN_STATUSES) })

/**
 * The status with which the plan is created, and its updates: a plan is created planned or in progress, and
 * reaches any other status by an update, as everywhere in the app.
 */
function historyOf(
  cells: Partial<Record<PlanColumn, string>>,
  user: ImportContext['user'],
): { errors: FieldErrors; status?: string | undefined; updates: NewPlan['updates'] } {
  const { update = '', close_note = '', update_date, update_author } = cells
  const end = validateForm(PlanStatus, { status: statusOf(cells.status ?? 'planned') })
  if (!end.ok) return { errors: end.errors, updates: [] }
  const { status } = end.value
  const isFirst = status === 'planned' || status === 'in-progress'
  const text = update && signed(update, update_author, user)
  const last = isFirst ? undefined : close_note || text || messages.importedAs(status)
  const drafts = [
    ...(text && text !== last ? [{ body: text }] : []),
    ...(last ? [{ body: last, ...endOf(cells), status }] : []),
  ]
  const errors: FieldErrors = {}
  const updates = drafts.flatMap((draft) => {
    const written_at = update_date && { written_at: instantOf(update_date) }
    const checked = validateForm(SuccessPlanUpdateDraft, { ...draft, ...written_at })
    if (checked.ok) return [checked.value]
    for (const [field, reasons] of Object.entries(checked.errors))
      errors[COLUMN_OF[field] ?? field] = reasons
    return []
  })
  return {
    errors,
    updates,
    ...(cells.status !== undefined && { status: isFirst ? status : 'in-progress' }),
  }
}

/** The columns of an update's fields. */
const COLUMN_OF: Readonly<Record<string, PlanColumn>> = {
  written_at: 'update_date',
  body: 'update',
}

const signed = (body: string, author: string | undefined, user: ImportContext['user']) =>
  !author || [user.name, user.email].some((own) => normalizeName(own) === normalizeName(author))
    ? body
    : namingAuthor(body, author)

/** The outcome of a completed plan; if it is not given, the one that leads to the plan's progress. */
function endOf({ status, outcome, progress }: Partial<Record<PlanColumn, string>>) {
  if (statusOf(status ?? '') !== 'completed') return {}
  if (outcome) return { outcome: wordOf(outcome) }
  const isWhole = progress === undefined || readNumber(progress) === 100
  return { outcome: isWhole ? 'achieved' : 'partially-achieved' }
}
