import { useMemo } from 'react'
import { useLocation } from 'react-router'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { useAccountsById } from '../../data/accounts.ts'
import { personText } from '../../data/organisations/person-name.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { useToday } from '../../data/organisations/use-today.ts'
import { useRecordStates } from '../../widgets/editing/use-record-states.ts'
import type { PlanChoice } from './initiative-dialog.tsx'
import type { RowContext } from './initiative-table.tsx'

type PlanWithAccount = PlanChoice & Pick<SuccessPlan, 'account_id' | 'status'>

/** What the rows of all initiatives need besides them. Changes only with its contents. */
export function useRowContext(plans: readonly PlanWithAccount[]): RowContext {
  const people = usePeople()
  const accounts = useAccountsById()
  const today = useToday()
  const states = useRecordStates()
  const { search } = useLocation()
  return useMemo(() => {
    const byId = new Map(plans.map((plan) => [plan.id, plan]))
    return {
      today,
      states,
      planOf: ({ success_plan_id }) => byId.get(success_plan_id ?? ''),
      titleOf: (id) => byId.get(id ?? '')?.title,
      accountOf: ({ account_id, success_plan_id }) =>
        account_id ?? byId.get(success_plan_id ?? '')?.account_id ?? null,
      accountNameOf: (id) => accounts?.get(id)?.name,
      nameOf: (id) => people?.get(id ?? '')?.name,
      personOf: (id) => personText(people, id),
      searchOf: (id) => {
        const params = new URLSearchParams(search)
        params.set('open', id)
        // The form of a record that was not found is not that of the next one.
        params.delete('edit')
        return params.toString()
      },
    }
  }, [plans, people, accounts, today, states, search])
}
