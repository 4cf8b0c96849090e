import type { InitiativeWork } from '../../data/initiatives.ts'
import { groupMessages } from '../../widgets/table/group-messages.ts'
import {
  byAccount,
  byHealth,
  byMonth,
  byOwner,
  byStatus,
  type Grouping,
} from '../../widgets/table/grouping.ts'
import type { InitiativeContext } from './view.ts'
import { initiativeMessages as messages } from './messages.ts'

/** What the table of initiatives can be grouped by. */
export const initiativeGroupings = (
  context: InitiativeContext,
): Record<string, Grouping<InitiativeWork>> => ({
  owner: byOwner(({ initiative }) => initiative.owner_id, context.personOf),
  plan: {
    keyOf: ({ initiative }) => initiative.success_plan_id,
    titleOf: (id) => context.titleOf(id) ?? messages.unknownPlan,
    without: messages.noPlan,
  },
  account: byAccount(({ initiative }) => context.accountOf(initiative), context.accountNameOf),
  status: byStatus(({ initiative }) => initiative.status),
  health: byHealth(({ initiative }) => initiative.health),
  month: byMonth(({ initiative }) => initiative.end_date, groupMessages.without.month),
})
