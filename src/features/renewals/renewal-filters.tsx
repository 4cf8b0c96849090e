import { useQuery } from '@tanstack/react-query'
import { useCurrentSession } from '../../data/current-session.ts'
import { membersQuery } from '../../data/organisations/queries.ts'
import { DisplayPanel } from '../../ui/list/filters/display-panel.tsx'
import { FilterBar } from '../../ui/list/filters/filter-bar.tsx'
import { ListFilters } from '../../ui/list/filters/list-filters.tsx'
import { RENEWAL_SORTS, type RenewalFilters as Filters } from './renewals.ts'
import { renewalMessages as messages } from './messages.ts'

interface RenewalFiltersProps {
  filters: Filters
  /** See `readSort`. */
  sort: string
  /** Number of renewals that match. */
  shown: number
  onSearch: (text: string) => void
  onChange: (change: Partial<Record<'owner' | 'risk' | 'sort', string>>) => void
}

const RISKS = ['', 'risky', 'none'] as const

/** Search, filters by owner and risk, and on a phone the order. */
export function RenewalFilters(props: RenewalFiltersProps) {
  const { filters, sort, shown, onSearch, onChange } = props
  const members = useQuery(membersQuery()).data ?? []
  const user_id = useCurrentSession()?.user.id
  return (
    <FilterBar search={{ label: messages.searchLabel, value: filters.search, onChange: onSearch }}>
      <ListFilters
        filters={[
          {
            name: 'owner',
            label: messages.ownerLabel,
            value: filters.owner,
            options: [
              ['', messages.anyOwner],
              ...members.map(
                (one) => [one.user_id, one.user_id === user_id ? messages.you : one.name] as const,
              ),
              ['none', messages.noOwner],
            ],
            onChange: (owner) => onChange({ owner }),
          },
          {
            name: 'risk',
            label: messages.riskLabel,
            value: filters.risk,
            options: RISKS.map((risk) => [risk, messages.risks[risk]] as const),
            onChange: (risk) => onChange({ risk }),
          },
          {
            name: 'sort',
            label: messages.sortLabel,
            value: sort,
            options: RENEWAL_SORTS.map(
              (name) => [name, messages.sortedBy(messages.columns[name])] as const,
            ),
            onChange: (name) => onChange({ sort: name }),
            isOrder: true,
          },
        ]}
        onClear={() => onChange({ owner: '', risk: '' })}
        done={messages.show(shown)}
        tools={<DisplayPanel />}
      />
    </FilterBar>
  )
}
