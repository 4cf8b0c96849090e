import { useQuery } from '@tanstack/react-query'
import { ACCOUNT_STATUSES, ACCOUNT_TIERS } from '../../../contract/schemas/accounts.ts'
import { HEALTHS } from '../../../contract/values.ts'
import { DisplayPanel } from '../../ui/list/filters/display-panel.tsx'
import { FilterBar } from '../../ui/list/filters/filter-bar.tsx'
import { ListFilters } from '../../ui/list/filters/list-filters.tsx'
import { useCurrentSession } from '../../data/current-session.ts'
import { membersQuery } from '../../data/organisations/queries.ts'
import { FILTERS, NONE, RENEWALS, SORTS, type Filter, type Selection } from './view.ts'
import { accountListMessages as messages, accountMessages } from './messages.ts'

interface AccountFiltersProps {
  selection: Selection
  /** Number of accounts that match. */
  shown: number
  onSearch: (text: string) => void
  onChange: (change: Partial<Record<Filter | 'sort', string>>) => void
}

/** Search, filters and, on a phone, the order. */
export function AccountFilters({ selection, shown, onSearch, onChange }: AccountFiltersProps) {
  const options = useOptions()
  const { sort, reversed } = selection
  return (
    <FilterBar
      search={{ label: messages.searchLabel, value: selection.search, onChange: onSearch }}
    >
      <ListFilters
        filters={[
          ...FILTERS.map((name) => ({
            name,
            label: messages.filterLabels[name],
            value: selection[name],
            options: [['', messages.any[name]] as const, ...options[name]],
            onChange: (value: string) => onChange({ [name]: value }),
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
            onChange: (value) => onChange({ sort: value }),
            isOrder: true,
          },
        ]}
        onClear={() => onChange({ status: '', tier: '', health: '', owner: '', renewal: '' })}
        done={messages.show(shown)}
        tools={<DisplayPanel />}
      />
    </FilterBar>
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
