import type * as v from 'valibot'
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { OrganisationUser } from '../../../contract/schemas/people.ts'
import { validateForm, type FieldErrors } from '../../../contract/errors.ts'
import {
  SuccessPlanUpdateDraft,
  type SuccessPlan,
  type SuccessPlanUpdate,
} from '../../../contract/schemas/success-plans.ts'
import { UNKNOWN_TIME } from '../../../contract/values.ts'
import { readNumber } from '../../ui/form/read-number.ts'
import { healthOf, instantOf, isSameTime } from './cells.ts'
import { importedId, namingAuthor, planUpdateId, withoutAuthor } from './imported-id.ts'
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
export const UPDATE_COLUMNS: Columns<UpdateColumn> = {
  ...updateColumns,
  written_at: { ...updateColumns.written_at, tellsApart: true },
}

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
  members: readonly Pick<OrganisationUser, 'user_id' | 'name' | 'email'>[]
  /** The updates that exist. */
  updates: readonly SuccessPlanUpdate[]
  /** What the server has named otherwise than this device, by the device's own id. */
  aliases: ReadonlyMap<string, { table: string; id: string }>
  /** The ids of plans whose updates are not on the device. */
  missing: readonly string[]
  /** Whether the server takes the ids of this device, by which imported updates are found, whatever their times. */
  hasIds: boolean
  user: { name: string; email: string }
}

/**
 * The result for each row of an import of past updates. The id follows from plan, date, author and text, so
 * that the same row is never imported twice. An update that was written in the app and exported is
 * recognised as well, because a second one could not be deleted.
 */
export function updateRows(
  table: Table<UpdateColumn>,
  { plans, accounts, members, updates, aliases, missing, hasIds, user, isWhole }: ImportContext,
): ImportRow<PastUpdate>[] {
  const taken = new Set([...aliases.keys(), ...updates.map(({ id }) => id)])
  const ofPlans = [...aliases].filter(([, { table }]) => table === 'success_plans')
  const localIds = new Map(ofPlans.map(([local, { id }]) => [id, local]))
  const isKnown = comparedWith(updates, members, hasIds)
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
    const found = plan === 'several' || Object.keys(errors).length > 0 ? undefined : plan
    const idIn = (plan: string) =>
      importedId('update', plan, written_at, author, text, progress ?? '', health ?? '')
    const id = found && idIn(found.id)
    // The plan had its own id when an update was imported before it was sent.
    const isTaken = id && (taken.has(id) || taken.has(idIn(localIds.get(found.id) ?? found.id)))
    if (id && (isTaken || isKnown(found.id, cells))) return { ...row, known: true }
    if (found && missing.includes(found.id)) errors['plan_id'] = [messages.updatesMissing]
    const isOwn = [user.name, user.email].map(normalizeName).includes(normalizeName(author))
    const checked = validateForm(SuccessPlanUpdateDraft, {
      body: author === '' || isOwn ? text : namingAuthor(text, author),
      ...(written_at !== '' && { written_at: instantOf(written_at) }),
      // The progress of a plan that follows its actions cannot be set.
      ...(progress && followsUpdates(plan) && { progress: readNumber(progress) }),
      ...(health && { health: healthOf(health) }),
    })
    if (!checked.ok) return { ...row, errors: { ...checked.errors, ...errors } }
    if (!id || Object.keys(errors).length > 0) return { ...row, errors }
    taken.add(id)
    return { ...row, draft: { plan_id: found.id, update: { ...checked.value, id } } }
  })
}

const idOf = (account: Account | 'several') => (account === 'several' ? undefined : account.id)

/** Whether the time of the update may be the server's own, in place of the one that was asked for. */
const hasOwnTime = ({ written_at, created_at }: SuccessPlanUpdate): boolean =>
  Date.parse(written_at) === Date.parse(created_at ?? UNKNOWN_TIME)

/**
 * Tells whether a row is one of `updates`: of the same plan, text and time, and of the same author where both are
 * known. Progress and health must be the same too; if there is a text, only where both have them. Where the server
 * makes its own ids and times, times are not compared, and each update stands for one row only.
 */
function comparedWith(
  updates: readonly SuccessPlanUpdate[],
  members: ImportContext['members'],
  hasIds: boolean,
): (plan_id: string, cells: Partial<Record<UpdateColumn, string>>) => boolean {
  const keyOf = (plan_id: string, text: string) => JSON.stringify([plan_id, normalizeName(text)])
  const ofText = Map.groupBy(updates, ({ success_plan_id, body }) =>
    keyOf(success_plan_id, withoutAuthor(body).text),
  )
  const lineOf = (author: string) => normalizeName(messages.writtenBy(author))
  const linesOf = new Map(
    members.map(({ user_id, name, email }) => [user_id, [name, email, user_id].map(lineOf)]),
  )
  const ofMembers = new Set([...linesOf.values()].flat())
  const keepsTimes = hasIds || updates.some((one) => one.created_at !== null && !hasOwnTime(one))
  const claimed = new Set<SuccessPlanUpdate>()

  return (plan_id, { written_at = '', author = '', body = '', progress, health }) => {
    const { text, line = author && messages.writtenBy(author) } = withoutAuthor(body)
    const own = normalizeName(line)
    const isOther = (update: SuccessPlanUpdate) => {
      const named = withoutAuthor(update.body).line
      if (named !== undefined) return normalizeName(named) !== own
      // A list of plans need not say who wrote the last update.
      if ([0, 1].some((at) => planUpdateId(plan_id, at) === update.id)) return false
      const lines = linesOf.get(update.user_id ?? '')
      // A name that no member has can be an earlier one of this author.
      return lines !== undefined && ofMembers.has(own) && !lines.includes(own)
    }
    const isSame = <Value>(cell: Value | undefined, value: Value | null) =>
      cell === undefined || cell === value || (text !== '' && value === null)
    const isUntimed = (update: SuccessPlanUpdate) =>
      written_at !== '' && !keepsTimes && hasOwnTime(update)
    const found = (ofText.get(keyOf(plan_id, text)) ?? []).find(
      (update) =>
        (written_at === ''
          ? text !== '' || update.written_at === UNKNOWN_TIME
          : isUntimed(update)
            ? !claimed.has(update)
            : isSameTime(written_at, update.written_at)) &&
        (own === '' || !isOther(update)) &&
        isSame(progress === undefined ? undefined : readNumber(progress), update.progress_to) &&
        isSame(health === undefined ? undefined : healthOf(health), update.health),
    )
    if (found && isUntimed(found)) claimed.add(found)
    return found !== undefined
  }
}

const followsUpdates = (plan: SuccessPlan | 'several' | undefined) =>
  typeof plan === 'object' && plan.progress_mode === 'manual'
