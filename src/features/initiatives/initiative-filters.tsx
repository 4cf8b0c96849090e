import { filterMessages } from '../../widgets/table/filter-messages.ts'
import {
  accountOptions,
  END_OPTIONS,
  HEALTH_OPTIONS,
  statusOptions,
  useOwnerOptions,
  type FilterOptions,
} from '../../widgets/table/filter-options.ts'
import { NONE } from '../../widgets/table/filters.ts'
import type { ListAddress } from '../../widgets/table/list-address.ts'
import { ListControls } from '../../widgets/table/list-controls.tsx'
import { SORTS } from './view.ts'
import { initiativeListMessages as messages, initiativeMessages } from './messages.ts'

interface InitiativeFiltersProps {
  address: ListAddress
  /** The plans and the accounts that have initiatives. */
  plans: FilterOptions
  accounts: FilterOptions
  /** Number of initiatives that match. */
  shown: number
}

/** Search and filters above the initiatives. */
export function InitiativeFilters({ plans, accounts, ...props }: InitiativeFiltersProps) {
  const owners = useOwnerOptions()
  return (
    <ListControls
      {...props}
      list="initiatives"
      messages={messages}
      sorts={SORTS}
      filters={{
        status: { label: filterMessages.status, options: statusOptions() },
        health: { label: filterMessages.health, options: HEALTH_OPTIONS },
        owner: { label: filterMessages.owner, options: owners },
        account: { label: filterMessages.account, options: accountOptions(accounts) },
        plan: {
          label: messages.columns.plan,
          options: [['', messages.anyPlan], ...plans, [NONE, initiativeMessages.noPlan]],
        },
        end: { label: filterMessages.end, options: END_OPTIONS },
      }}
    />
  )
}
