import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ACCOUNT_STATUSES, ACCOUNT_TIERS } from '../../../contract/schemas/accounts.ts'
import { HEALTHS } from '../../../contract/values.ts'
import { FilterBar } from '../../ui/list/filter-bar.tsx'
import { useCurrentSession } from '../../data/current-session.ts'
import { membersQuery } from '../../data/organisations/queries.ts'
import { FILTERS, NONE, RENEWALS, SORTS, type Filter, type Selection } from './view.ts'
import { accountListMessages as messages, accountMessages } from './messages.ts'

interface AccountFiltersProps {
  selection: Selection
  /** Number of accounts that match. */
  shown: number
  onSearch: (text: string) => void
  onChange: (name: Filter | 'sort', value: string) => void
  /** Shown beside the search; on a phone below the filters. */
  aside: ReactNode
}

/** Search, filters and, on a phone, the order. */
export function AccountFilters(props: AccountFiltersProps) {
  const { selection, shown, onSearch, onChange, aside } = props
  const options = useOptions()
  const { sort, reversed } = selection
  return (
    <div className="mt-4 mb-3">
      <FilterBar
        search={{ label: messages.searchLabel, value: selection.search, onChange: onSearch }}
        filters={[
          ...FILTERS.map((name) => ({
            name,
            label: messages.filterLabels[name],
            value: selection[name],
            options: [['', messages.any[name]] as const, ...options[name]],
            onChange: (value: string) => onChange(name, value),
          })),
          {
            name: 'sort',
            label: messages.sortLabel,
            value: reversed ? `-${sort}` : sort,
            options: [
              ...SORTS.map((name) => [name, messages.sortedBy(messages.columns[name])] as const),
              ...(reversed
                ? [[`-${sort}`, messages.sortedReversed(messages.columns[sort])] as const]
                : []),
            ],
            onChange: (value) => onChange('sort', value),
            isOrder: true,
            phoneOnly: true,
          },
        ]}
        done={messages.show(shown)}
        className="grid-cols-5"
        aside={aside}
      />
    </div>
  )
}

type Options = readonly (readonly [value: string, label: string])[]

/** The choices of each filter. */
function useOptions(): Record<Filter, Options> {
  const members = useQuery(membersQuery()).data
  const user_id = useCurrentSession()?.user.id
  const labelled = (values: readonly string[]): Options =>
    values.map((value) => [value, accountMessages.enumLabel(value)])
  const { without } = messages
  return {
    status: labelled(ACCOUNT_STATUSES),
    tier: [...labelled(ACCOUNT_TIERS), [NONE, without.tier]],
    health: [...labelled(HEALTHS), [NONE, without.health]],
    owner: [
      ...(members ?? []).map(
        (member) =>
          [member.user_id, member.user_id === user_id ? messages.you : member.name] as const,
      ),
      [NONE, without.owner],
    ],
    renewal: RENEWALS.map((value) => [value, messages.renewals[value]]),
  }
}
