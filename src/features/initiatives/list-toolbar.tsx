import { useQuery } from '@tanstack/react-query'
import { PLAN_STATUSES } from '../../../contract/values.ts'
import { FilterBar } from '../../ui/list/filter-bar.tsx'
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
  /** Number of initiatives that match. */
  shown: number
  onChange: (name: keyof Selection, value: string) => void
}

/** Search, and filters by status, owner and plan. */
export function ListToolbar({ selection, plans, shown, onChange }: ListToolbarProps) {
  const members = useQuery(membersQuery()).data ?? []
  const user_id = useCurrentSession()?.user.id
  const field = (name: keyof Selection, label: string) => ({
    name,
    label,
    value: selection[name],
    onChange: (value: string) => onChange(name, value),
  })
  return (
    <div className="mt-4 mb-3">
      <FilterBar
        search={field('search', messages.searchLabel)}
        filters={[
          {
            ...field('status', messages.statusLabel),
            options: [
              ['', messages.anyStatus],
              ...PLAN_STATUSES.map((one) => [one, statusMessages.statusOption(one)] as const),
            ],
          },
          {
            ...field('owner', messages.ownerLabel),
            options: [
              ['', messages.anyOwner],
              ...members.map(
                (one) => [one.user_id, one.user_id === user_id ? messages.you : one.name] as const,
              ),
            ],
          },
          {
            ...field('plan', messages.planLabel),
            options: [
              ['', messages.anyPlan],
              ...plans.map(({ id, title }) => [id, title] as const),
            ],
          },
        ]}
        done={messages.show(shown)}
        className="grid-cols-3 lg:grid-cols-[minmax(0,1fr)_10rem_10rem_14rem]"
      />
    </div>
  )
}
