import { isOverdue, isStale } from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/success-plans.ts'
import { saveTextFile } from '../../ui/save-text-file.ts'
import { writeCsv } from '../import/csv.ts'
import { PLAN_COLUMNS } from '../import/plan-rows.ts'
import type { Vantage } from './view.ts'
import { planWords } from './words.ts'
import { csvWords as words } from './plan-words.ts'

type Cell = string | number | null

/** What a spreadsheet gets of a plan: first what an import reads again, then what was derived. */
const cellsOf = (plan: SuccessPlan, from: Vantage): [string, Cell][] => [
  [PLAN_COLUMNS.title.title, plan.title],
  [PLAN_COLUMNS.type.title, plan.type],
  [PLAN_COLUMNS.account_id.title, from.nameOf(plan.account_id) ?? null],
  [PLAN_COLUMNS.owner_id.title, from.nameOf(plan.owner_id) ?? null],
  [PLAN_COLUMNS.status.title, plan.status],
  [PLAN_COLUMNS.health.title, plan.health],
  [PLAN_COLUMNS.progress.title, plan.progress],
  [PLAN_COLUMNS.start_date.title, plan.start_date],
  [PLAN_COLUMNS.end_date.title, plan.end_date],
  [PLAN_COLUMNS.update_cadence_days.title, plan.update_cadence_days],
  [PLAN_COLUMNS.description.title, plan.description],
  [PLAN_COLUMNS.success_criteria.title, plan.success_criteria],
  [planWords.outcome, plan.outcome],
  [planWords.overdue, isOverdue(plan, from.today) ? words.yes : null],
  [planWords.stale, isStale(plan, from.now) ? words.yes : null],
  [words.lastUpdate, plan.last_update_at],
  [words.actionsDone, plan.actions_done_count],
  [words.actions, plan.actions_count],
  [words.link, `${location.origin}/success-plans/${plan.id}`],
]

/** The plans as a CSV text, in their order, under a row of headings. */
export function plansCsv(plans: readonly SuccessPlan[], from: Vantage): string {
  const rows = plans.map((plan) => cellsOf(plan, from))
  const headings = rows[0]?.map(([heading]) => heading) ?? []
  return writeCsv([headings, ...rows.map((row) => row.map(([, cell]) => cell))])
}

/** Hands the plans to the browser as a file. It works without a network. */
export function savePlans(plans: readonly SuccessPlan[], from: Vantage): void {
  saveTextFile(words.fileName(from.today), plansCsv(plans, from), 'text/csv')
}
