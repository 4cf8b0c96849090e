import { Search } from 'lucide-react'
import { HEALTHS, PLAN_STATUSES } from '../../../../contract/values.ts'
import { SelectField, TextField } from '../../../ui/form/field.tsx'
import { SORTS, type Sort } from './order.ts'
import { NONE, OPEN, type Selection } from './view.ts'
import { statusMessages } from '../../../widgets/status/messages.ts'
import { planMessages } from '../messages.ts'

interface ListToolbarProps {
  selection: Selection
  /** Statuses in the data that this build does not know. */
  unknownStatuses: readonly string[]
  onChange: (change: Partial<Selection>) => void
}

/** Search, filters by status and health, and sorting. */
export function ListToolbar({ selection, unknownStatuses, onChange }: ListToolbarProps) {
  return (
    <search className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-[minmax(0,1fr)_9rem_9rem_11.5rem]">
      <div className="col-span-2 sm:col-span-3 lg:col-span-1">
        <TextField
          type="search"
          label={planMessages.searchLabel}
          labelHidden
          placeholder={planMessages.searchLabel}
          leading={<Search />}
          value={selection.search}
          onChange={(event) => onChange({ search: event.target.value })}
        />
      </div>
      <SelectField
        label={planMessages.statusLabel}
        labelHidden
        value={selection.status}
        onChange={(event) => onChange({ status: event.target.value })}
      >
        <option value="">{planMessages.anyStatus}</option>
        <option value={OPEN}>{planMessages.openStatus}</option>
        {[...PLAN_STATUSES, ...unknownStatuses].map((status) => (
          <option key={status} value={status}>
            {statusMessages.statusOption(status)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={planMessages.healthLabel}
        labelHidden
        value={selection.health}
        onChange={(event) => onChange({ health: event.target.value })}
      >
        <option value="">{planMessages.anyHealth}</option>
        {HEALTHS.map((health) => (
          <option key={health} value={health}>
            {statusMessages.health(health)}
          </option>
        ))}
        <option value={NONE}>{planMessages.noHealth}</option>
      </SelectField>
      <div className="col-span-2 sm:col-span-1">
        <SelectField
          label={planMessages.sortLabel}
          labelHidden
          value={selection.sort}
          onChange={(event) => onChange({ sort: event.target.value as Sort })}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {planMessages.sorts[sort]}
            </option>
          ))}
        </SelectField>
      </div>
    </search>
  )
}
