import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { PLAN_STATUSES } from '../../../contract/values.ts'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { membersQuery } from '../../data/organisations/queries.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { statusMessages } from '../../widgets/status/messages.ts'
import type { PlanChoice } from './initiative-dialog.tsx'
import type { Selection } from './view.ts'
import { initiativeMessages as messages } from './messages.ts'

interface ListToolbarProps {
  selection: Selection
  /** The plans that have initiatives. */
  plans: readonly PlanChoice[]
  onChange: (name: keyof Selection, value: string) => void
}

/** Search, and filters by status, owner and plan. */
export function ListToolbar({ selection, plans, onChange }: ListToolbarProps) {
  const members = useQuery(membersQuery()).data
  const user_id = useCurrentSession()?.user.id
  const field = (name: keyof Selection) => ({
    labelHidden: true,
    value: selection[name],
    onChange: (event: { target: { value: string } }) => onChange(name, event.target.value),
  })
  return (
    <search className="mt-4 mb-3 grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-[minmax(0,1fr)_10rem_10rem_14rem]">
      <div className="col-span-2 sm:col-span-3 lg:col-span-1">
        <TextField
          type="search"
          label={messages.searchLabel}
          placeholder={messages.searchLabel}
          leading={<Search />}
          {...field('search')}
        />
      </div>
      <SelectField label={messages.statusLabel} {...field('status')}>
        <option value="">{messages.anyStatus}</option>
        {PLAN_STATUSES.map((status) => (
          <option key={status} value={status}>
            {statusMessages.statusOption(status)}
          </option>
        ))}
      </SelectField>
      <SelectField label={messages.ownerLabel} {...field('owner')}>
        <option value="">{messages.anyOwner}</option>
        {members?.map((member) => (
          <option key={member.user_id} value={member.user_id}>
            {member.user_id === user_id ? messages.you : member.name}
          </option>
        ))}
      </SelectField>
      <div className="col-span-2 sm:col-span-1">
        <SelectField label={messages.planLabel} {...field('plan')}>
          <option value="">{messages.anyPlan}</option>
          {plans.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </SelectField>
      </div>
    </search>
  )
}
