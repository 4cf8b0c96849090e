// What can be chosen for one or many plans, as the items of a menu.
import { useQuery } from '@tanstack/react-query'
import { transitionsFrom } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { HEALTHS, PLAN_STATUSES } from '../../../../contract/values.ts'
import { useCurrentSession } from '../../../data/current-session.ts'
import { membersQuery } from '../../../data/organisations/queries.ts'
import type { MenuItem } from '../../../ui/overlay/menu-panel.tsx'
import { compareText } from '../../../ui/text/format.ts'
import { transitionName } from '../transition-name.ts'
import type { AskedChange } from './explained-change.tsx'
import type { PlanChange } from './plan-change.ts'
import { bulkMessages as messages } from './messages.ts'

/** A field that can be changed from the list. */
export type EditedField = 'owner' | 'end_date' | 'status' | 'health'

/** The value that all plans share; undefined if they differ. */
function shared<T>(plans: readonly SuccessPlan[], valueOf: (plan: SuccessPlan) => T) {
  const values = new Set(plans.map(valueOf))
  return values.size === 1 ? [...values][0] : undefined
}

/**
 * The items to choose an owner, a status or a health for `plans`. `onChange` gets what is chosen; a status or
 * a health may need a note first.
 */
export function useChoices(
  plans: readonly SuccessPlan[],
  onChange: (change: PlanChange | AskedChange) => void,
): Record<Exclude<EditedField, 'end_date'>, MenuItem[]> {
  const members = useQuery(membersQuery()).data
  const user = useCurrentSession()?.user
  const [only] = plans
  const owner = shared(plans, ({ owner_id }) => owner_id)
  const health = shared(plans, (plan) => plan.health)
  const people = members?.toSorted((a, b) => compareText(a.name, b.name)) ?? []
  const known = people.length > 0 || !user ? people : [{ user_id: user.id, name: user.name }]
  return {
    owner: known.map(({ user_id: owner_id, name }) => ({
      id: owner_id,
      label: owner_id === user?.id ? messages.me(name) : name,
      chosen: owner_id === owner,
      onSelect: () => onChange({ kind: 'owner', owner_id }),
    })),
    status:
      plans.length === 1 && only
        ? transitionsFrom(only.status).map((status) => ({
            label: transitionName(only.status, status),
            danger: status === 'cancelled',
            onSelect: () => onChange({ kind: 'status', status }),
          }))
        : PLAN_STATUSES.map((status) => {
            const allowed = plans.filter((plan) => transitionsFrom(plan.status).includes(status))
            return {
              id: status,
              label: messages.statusOption(status, allowed.length, plans.length),
              unavailable: allowed.length === 0 ? messages.notAllowed : undefined,
              onSelect: () => onChange({ kind: 'status', status }),
            }
          }),
    health: HEALTHS.map((one) => ({
      label: messages.healthOption(one),
      chosen: one === health,
      onSelect: () => onChange({ kind: 'health', health: one }),
    })),
  }
}
