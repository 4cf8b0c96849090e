// What can be chosen for one or many plans or initiatives, as the items of menus.
import { transitionsFrom } from '../../../../contract/rules.ts'
import { HEALTHS, PLAN_STATUSES } from '../../../../contract/values.ts'
import type { MenuItem } from '../../../ui/overlay/menu-panel.tsx'
import type { ChangeableRecord, RecordChange } from './record-change.ts'
import { sharedValue, useOwnerItems } from './use-owner-items.ts'
import { manyMessages as messages } from './messages.ts'

/** What is chosen from a menu. */
export type ChosenField = 'owner_id' | 'status' | 'health'
type ChosenChange = Extract<RecordChange, { kind: 'owner' | 'status' | 'health' }>

/**
 * The items to choose an owner, a status or a health for `records`. A status tells how many of them it is
 * allowed for.
 */
export function useRecordChoices(
  records: readonly ChangeableRecord[],
  onChange: (change: ChosenChange) => void,
): Record<ChosenField, MenuItem[]> {
  const health = sharedValue(records, (record) => record.health)
  const owners = useOwnerItems(
    sharedValue(records, ({ owner_id }) => owner_id),
    (owner_id) => onChange({ kind: 'owner', owner_id }),
  )
  return {
    owner_id: owners,
    status: PLAN_STATUSES.map((status) => {
      const allowed = records.filter((record) => transitionsFrom(record.status).includes(status))
      return {
        id: status,
        label: messages.statusOption(status, allowed.length, records.length),
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
