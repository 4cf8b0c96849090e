import { isActionOpen } from '../../data/success-plans/action-rules.ts'
import { isInitiativeOpen } from '../../data/success-plans/initiative-rules.ts'
import { overlayAccounts } from '../../data/accounts.ts'
import { overlayActions } from '../../data/actions.ts'
import { overlayInitiatives } from '../../data/initiatives.ts'
import { useRecords } from '../../data/optimistic.ts'
import { overlayPlans } from '../../data/success-plans/overlay.ts'
import { useReadReport } from '../../sync/react/use-sync.ts'
import { isNotOffered } from '../../widgets/screen-states/not-offered.ts'
import { formatCount } from '../../ui/text/format.ts'
import { handOverMessages as messages } from './hand-over-messages.ts'

interface Work {
  /** What the member is responsible for by kind, as the device knows it: `17 plans`, `9 open actions`. */
  known: string[]
  /** The kinds that were not read, or whose list the server refuses: `accounts`. */
  unknown: string[]
}

/** What a member is responsible for. */
export function useWork(user_id: string): Work {
  const { refused } = useReadReport()
  const isOwn = ({ owner_id }: { owner_id: string | null }) => owner_id === user_id
  const plans = useRecords('success_plans', overlayPlans)
  const accounts = useRecords('accounts', overlayAccounts)
  const initiatives = useRecords('initiatives', overlayInitiatives)
  const actions = useRecords('actions', overlayActions)
  const planOf = ({ success_plan_id }: { success_plan_id: string | null }) =>
    plans.records?.find(({ id }) => id === success_plan_id)
  const work = {
    success_plans: { ...plans, records: plans.records?.filter(isOwn) },
    accounts: { ...accounts, records: accounts.records?.filter(isOwn) },
    initiatives: {
      ...initiatives,
      records: initiatives.records?.filter(
        (initiative) => isOwn(initiative) && isInitiativeOpen(initiative, planOf(initiative)),
      ),
    },
    actions: {
      ...actions,
      records: actions.records?.filter(
        (action) => action.assignee_id === user_id && isActionOpen(action, planOf(action)),
      ),
    },
  }
  const all: Work = { known: [], unknown: [] }
  for (const kind of Object.keys(work) as (keyof typeof work)[]) {
    const { query, records = [] } = work[kind]
    if (isNotOffered(refused[kind])) continue
    if (query.data === undefined || kind in refused) all.unknown.push(messages.unread[kind])
    else if (records.length > 0) all.known.push(formatCount(records.length, messages.kinds[kind]))
  }
  return all
}
