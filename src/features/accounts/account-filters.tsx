import { useQuery } from '@tanstack/react-query'
import { Search, SlidersHorizontal } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ACCOUNT_STATUSES, ACCOUNT_TIERS } from '../../../contract/schemas/accounts.ts'
import { HEALTHS } from '../../../contract/values.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { useCurrentSession } from '../../data/current-session.ts'
import { membersQuery } from '../../data/organisations/queries.ts'
import { FILTERS, NONE, RENEWALS, SORTS, type Filter, type Selection } from './view.ts'
import { accountListMessages as messages, accountMessages } from './messages.ts'

interface AccountFiltersProps {
  selection: Selection
  onSearch: (text: string) => void
  onChange: (name: Filter | 'sort', value: string) => void
  /** Shown beside the search. */
  aside: ReactNode
}

/** Search, filters and, on a phone, the order. A phone shows the filters on request. */
export function AccountFilters({ selection, onSearch, onChange, aside }: AccountFiltersProps) {
  const [open, setOpen] = useState(false)
  const options = useOptions()
  const { sort, reversed } = selection
  const active = FILTERS.filter((name) => selection[name] !== '').length
  return (
    <search className="mt-4 mb-3 grid gap-2">
      <div className="flex gap-2">
        <div className="min-w-0 grow">
          <TextField
            type="search"
            label={messages.searchLabel}
            labelHidden
            placeholder={messages.searchLabel}
            leading={<Search />}
            value={selection.search}
            onChange={(event) => onSearch(event.target.value)}
          />
        </div>
        <Button
          className="max-sm:px-2.5! md:hidden"
          aria-expanded={open}
          aria-label={messages.filters(active)}
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontal aria-hidden />
          <span className={active === 0 ? 'max-md:hidden' : 'tabular-nums'}>
            {active === 0 ? messages.filters(0) : messages.number(active)}
          </span>
        </Button>
        {aside}
      </div>
      <div className={`grid grid-cols-2 gap-2 md:grid-cols-5 ${open ? '' : 'max-md:hidden'}`}>
        {FILTERS.map((name) => (
          <SelectField
            key={name}
            label={messages.filterLabels[name]}
            labelHidden
            value={selection[name]}
            onChange={(event) => onChange(name, event.target.value)}
          >
            <option value="">{messages.any[name]}</option>
            {options[name].map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
        ))}
        <div className="md:hidden">
          <SelectField
            label={messages.sortLabel}
            labelHidden
            value={reversed ? `-${sort}` : sort}
            onChange={(event) => onChange('sort', event.target.value)}
          >
            {SORTS.map((name) => (
              <option key={name} value={name}>
                {messages.sortedBy(messages.columns[name])}
              </option>
            ))}
            {reversed && (
              <option value={`-${sort}`}>{messages.sortedReversed(messages.columns[sort])}</option>
            )}
          </SelectField>
        </div>
      </div>
    </search>
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
