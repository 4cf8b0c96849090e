import { useAccounts } from '../../data/accounts.ts'
import { useInitiatives } from '../../data/initiatives.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { formatCount } from '../../ui/text/format.ts'
import { useActions } from '../../data/actions.ts'
import { handOverMessages as messages } from './hand-over-messages.ts'

/** What a member is responsible for by kind, as the device knows it: `17 plans`, `9 open actions`. */
export function useWork(user_id: string): string[] {
  const isOwn = ({ owner_id }: { owner_id: string | null }) => owner_id === user_id
  const plans = usePlans().plans?.filter(isOwn)
  const accounts = useAccounts().accounts?.filter(isOwn)
  const initiatives = useInitiatives().work?.initiatives.filter((one) => isOwn(one.initiative))
  const actions = useActions().actions?.filter(
    ({ assignee_id, status }) =>
      assignee_id === user_id && status !== 'done' && status !== 'cancelled',
  )
  return Object.entries({ plans, accounts, initiatives, actions }).flatMap(([kind, records]) =>
    records && records.length > 0
      ? [formatCount(records.length, messages.kinds[kind as keyof typeof messages.kinds])]
      : [],
  )
}
