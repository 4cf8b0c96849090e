// What can be chosen for one or many plans, as the items of a menu.
import { transitionsFrom } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { HEALTHS, PLAN_STATUSES } from '../../../../contract/values.ts'
import type { MenuItem } from '../../../ui/overlay/menu-panel.tsx'
import { sharedValue, useOwnerItems } from '../../../widgets/editing/many/use-owner-items.ts'
import { transitionName } from '../transition-name.ts'
import type { EditedField } from './edited-field.ts'
import type { AskedChange } from './explained-change.tsx'
import type { PlanChange } from './plan-change.ts'
import { bulkMessages as messages } from './messages.ts'

/**
 * The items to choose an owner, a status or a health for `plans`. `onChange` gets what is chosen; a status or
 * a health may need a note first.
 */
export function useChoices(
  plans: readonly SuccessPlan[],
  onChange: (change: PlanChange | AskedChange) => void,
): Record<Exclude<EditedField, 'end_date'>, MenuItem[]> {
  const [only] = plans
  const health = sharedValue(plans, (plan) => plan.health)
  const owner = useOwnerItems(
    sharedValue(plans, ({ owner_id }) => owner_id),
    (owner_id) => onChange({ kind: 'owner', owner_id }),
  )
  return {
    owner,
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
