import { filterMessages } from '../../widgets/table/filter-messages.ts'
import { useOwnerOptions } from '../../widgets/table/filter-options.ts'
import type { ListAddress } from '../../widgets/table/list-address.ts'
import { ListControls } from '../../widgets/table/list-controls.tsx'
import { RENEWAL_DAYS, RENEWAL_SORTS } from './renewals.ts'
import { renewalMessages as messages } from './messages.ts'

interface RenewalFiltersProps {
  address: ListAddress
  /** Number of renewals that match. */
  shown: number
}

const RISKS = ['', 'risky', 'none'] as const

/** Search and filters above the renewals. */
export function RenewalFilters(props: RenewalFiltersProps) {
  const owners = useOwnerOptions()
  return (
    <ListControls
      {...props}
      list="renewals"
      messages={messages}
      sorts={RENEWAL_SORTS}
      filters={{
        owner: { label: filterMessages.owner, options: owners },
        day: {
          label: messages.columns.day,
          options: (['', ...RENEWAL_DAYS] as const).map(
            (day) => [day, messages.days[day]] as const,
          ),
        },
        risk: {
          label: messages.columns.risk,
          options: RISKS.map((risk) => [risk, messages.risks[risk]] as const),
        },
      }}
    />
  )
}
