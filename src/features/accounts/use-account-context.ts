import { useCallback, useMemo } from 'react'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { personText } from '../../data/organisations/person-name.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { useToday } from '../../data/organisations/use-today.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import type { AccountContext } from './view.ts'

/** What the list of accounts needs besides them. The number of plans is that of the device, if it has them. */
export function useAccountContext(): AccountContext {
  const people = usePeople()
  const nameOf = useCallback((user_id: string | null) => people?.get(user_id ?? '')?.name, [people])
  const { plans } = usePlans()
  const today = useToday()
  return useMemo(() => {
    const counts = new Map<string, number>()
    for (const { account_id } of plans ?? [])
      if (account_id !== null) counts.set(account_id, (counts.get(account_id) ?? 0) + 1)
    const plansOf = ({ id, success_plans_count }: Account) =>
      plans ? (counts.get(id) ?? 0) : success_plans_count
    const personOf = (user_id: string) => personText(people, user_id)
    return { today, nameOf, personOf, plansOf }
  }, [plans, today, nameOf, people])
}
