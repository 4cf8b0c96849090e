// What can be chosen for one or many plans, as the items of a menu.
import { transitionsFrom } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import type { MenuItem } from '../../../ui/overlay/menu-panel.tsx'
import {
  useRecordChoices,
  type ChosenField,
} from '../../../widgets/editing/many/use-record-choices.ts'
import { transitionName } from '../transition-name.ts'
import type { AskedChange } from './explained-change.tsx'
import type { PlanChange } from './plan-change.ts'

/**
 * The items to choose an owner, a status or a health for `plans`. `onChange` gets what is chosen; a status or
 * a health may need a note first. For a single plan the statuses are named as steps from its own.
 */
export function useChoices(
  plans: readonly SuccessPlan[],
  onChange: (change: PlanChange | AskedChange) => void,
): Record<ChosenField, MenuItem[]> {
  const choices = useRecordChoices(plans, onChange)
  const [only] = plans
  if (plans.length !== 1 || !only) return choices
  return {
    ...choices,
    status: transitionsFrom(only.status).map((status) => ({
      label: transitionName(only.status, status),
      danger: status === 'cancelled',
      onSelect: () => onChange({ kind: 'status', status }),
    })),
  }
}
