import { isOverdue, isStale } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { storedTemplates } from '../../../data/templates.ts'
import { writeRecords, type Cell } from '../../import/csv.ts'
import { planCells } from '../../import/plan-rows.ts'
import { saveList } from '../../export/save-list.ts'
import type { ViewContext } from './view.ts'
import { planMessages } from '../messages.ts'
import { csvMessages as messages } from '../plan-messages.ts'
import { planPath } from '../../../ui/platform/record-path.ts'

/** The cells of a plan: first what an import reads, then derived values. */
const cellsOf = (plan: SuccessPlan, context: ViewContext): [string, Cell][] => [
  ...planCells(plan, context.nameOf),
  [planMessages.overdue, isOverdue(plan, context.today) ? messages.yes : null],
  [planMessages.stale, isStale(plan, context.now) ? messages.yes : null],
  [messages.actionsDone, plan.actions_done_count],
  [messages.actions, plan.actions_count],
  [messages.link, `${location.origin}${planPath(plan.id)}`],
]

/** The plans as CSV text with a heading row, in the given order. */
export const plansCsv = (plans: readonly SuccessPlan[], context: ViewContext): string =>
  writeRecords(plans.map((plan) => cellsOf(plan, context)))

/** Saves the plans as a CSV file; see `saveList`. */
export async function savePlans(
  plans: readonly SuccessPlan[],
  context: ViewContext,
): Promise<void> {
  await saveList(
    'success_plans',
    messages.fileName(context.today),
    async (nameOf) => {
      // Read here: the list itself shows no templates.
      const titles = new Map((await storedTemplates()).map(({ id, title }) => [id, title]))
      return plansCsv(plans, {
        ...context,
        nameOf: (of, id) =>
          of === 'templates'
            ? (titles.get(id ?? '') ?? id ?? undefined)
            : (context.nameOf(of, id) ?? nameOf(of, id)),
      })
    },
    messages.exported(plans.length),
  )
}
