import { countActions } from '../../../contract/rules.ts'
import type { InitiativeWork } from '../../data/initiatives.ts'
import { initiativePath } from '../../ui/platform/work-path.ts'
import { initiativeCells } from '../export/initiative-cells.ts'
import { saveList } from '../export/save-list.ts'
import { writeRecords, type Cell } from '../import/csv.ts'
import type { InitiativeContext } from './view.ts'
import { initiativeCsvMessages as messages } from './messages.ts'

/**
 * The cells of an initiative: those of the archive, then derived values. The account may be that of its plan. Numbers
 * of actions that were not read are empty.
 */
function cellsOf(work: InitiativeWork, context: InitiativeContext) {
  const { initiative, actions, areActionsRead } = work
  const { actions_count, actions_done_count } = countActions(actions)
  const account = context.accountOf(initiative)
  const cells: [string, Cell][] = [
    ...initiativeCells(initiative, {
      plan: context.titleOf(initiative.success_plan_id),
      account: account === null ? undefined : context.accountNameOf(account),
      owner: context.nameOf(initiative.owner_id),
    }),
    [messages.actionsDone, areActionsRead ? actions_done_count : null],
    [messages.actions, areActionsRead ? actions_count : null],
    [messages.link, location.origin + initiativePath(initiative.id)],
  ]
  return cells
}

/** The initiatives as CSV text with a heading row, in the given order. */
export const initiativesCsv = (
  initiatives: readonly InitiativeWork[],
  context: InitiativeContext,
): string => writeRecords(initiatives.map((work) => cellsOf(work, context)))

/** Saves the initiatives as a CSV file; see `saveList`. */
export const saveInitiatives = (
  initiatives: readonly InitiativeWork[],
  context: InitiativeContext,
): Promise<void> =>
  saveList(
    'initiatives',
    messages.fileName(context.today),
    (nameOf) =>
      initiativesCsv(initiatives, {
        ...context,
        accountNameOf: (id) => context.accountNameOf(id) ?? nameOf('accounts', id),
        nameOf: (id) => context.nameOf(id) ?? nameOf('organisation_users', id),
      }),
    messages.exported(initiatives.length),
  )
