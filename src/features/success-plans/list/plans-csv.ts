import { isOverdue, isStale } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { saveTextFile } from '../../../ui/platform/save-text-file.ts'
import { writeRecords, type Cell } from '../../import/csv.ts'
import { planCells } from '../../import/plan-rows.ts'
import type { ViewContext } from './view.ts'
import { planMessages } from '../messages.ts'
import { csvMessages as messages } from '../plan-messages.ts'

/** The cells of a plan: first what an import reads, then derived values. */
const cellsOf = (plan: SuccessPlan, context: ViewContext): [string, Cell][] => [
  ...planCells(plan, context.nameOf),
  [planMessages.overdue, isOverdue(plan, context.today) ? messages.yes : null],
  [planMessages.stale, isStale(plan, context.now) ? messages.yes : null],
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
