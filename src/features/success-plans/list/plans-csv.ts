import { isOverdue, isStale } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { saveTextFile } from '../../../ui/platform/save-text-file.ts'
import { writeRecords, type Cell } from '../../import/csv.ts'
import { PLAN_COLUMNS } from '../../import/plan-rows.ts'
import type { ViewContext } from './view.ts'
import { planMessages } from '../messages.ts'
import { csvMessages as messages } from '../plan-messages.ts'

/** The cells of a plan: first what an import reads, then derived values. */
const cellsOf = (plan: SuccessPlan, context: ViewContext): [string, Cell][] => [
  [PLAN_COLUMNS.title.title, plan.title],
  [PLAN_COLUMNS.type.title, plan.type],
  [PLAN_COLUMNS.account_id.title, context.nameOf(plan.account_id) ?? null],
  [PLAN_COLUMNS.owner_id.title, context.nameOf(plan.owner_id) ?? null],
  [PLAN_COLUMNS.status.title, plan.status],
  [PLAN_COLUMNS.health.title, plan.health],
  [PLAN_COLUMNS.progress.title, plan.progress],
  [PLAN_COLUMNS.start_date.title, plan.start_date],
  [PLAN_COLUMNS.end_date.title, plan.end_date],
  [PLAN_COLUMNS.update_cadence_days.title, plan.update_cadence_days],
  [PLAN_COLUMNS.description.title, plan.description],
  [PLAN_COLUMNS.success_criteria.title, plan.success_criteria],
  [PLAN_COLUMNS.outcome.title, plan.outcome],
  [PLAN_COLUMNS.close_note.title, plan.close_note],
  [planMessages.overdue, isOverdue(plan, context.today) ? messages.yes : null],
  [planMessages.stale, isStale(plan, context.now) ? messages.yes : null],
  [PLAN_COLUMNS.update_date.title, plan.last_update_at],
  [messages.actionsDone, plan.actions_done_count],
  [messages.actions, plan.actions_count],
  [messages.link, `${location.origin}/success-plans/${plan.id}`],
]

/** The plans as CSV text with a heading row, in the given order. */
export const plansCsv = (plans: readonly SuccessPlan[], context: ViewContext): string =>
  writeRecords(plans.map((plan) => cellsOf(plan, context)))

/** Saves the plans as a CSV file. Works offline. */
export function savePlans(plans: readonly SuccessPlan[], context: ViewContext): void {
  saveTextFile(messages.fileName(context.today), plansCsv(plans, context), 'text/csv')
}
