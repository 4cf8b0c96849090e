import { useMemo } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { useCurrentIds } from '../../../data/record-id.ts'
import { usePlans } from '../../../data/success-plans/queries.ts'
import {
  BulkSelection,
  type SelectableRows,
  type Selecting,
} from '../../../ui/list/bulk/bulk-selection.tsx'
import { BULK_ACTIONS, INLINE_EDITOR } from '../list/list-parts.ts'
import { groupPlans } from '../list/table/grouping.ts'
import type { Group, ViewContext } from '../list/view.ts'
import { planMessages } from '../messages.ts'

interface BulkChangesProps extends Selecting {
  /** The plans that the list shows. */
  plans: readonly SuccessPlan[]
  group: Group
  context: ViewContext
  /** Gets what the rows of the list offer, again after each change. Stable. */
  onRows: (rows: SelectableRows) => void
}

const NO_PLANS: readonly SuccessPlan[] = []

/** Selects plans of the list and changes them, many at once or a single one in its cell. */
export function BulkChanges({ plans, group, ...props }: BulkChangesProps) {
  const { nameOf } = props.context
  const shown = useMemo(
    () => groupPlans(plans, group, nameOf)?.flatMap(({ items }) => items) ?? plans,
    [plans, group, nameOf],
  )
  return (
    <BulkSelection
      label={planMessages.selectedPlans}
      shown={shown}
      all={usePlans().plans ?? NO_PLANS}
      idNow={useCurrentIds()}
      Actions={BULK_ACTIONS.Part}
      Editor={INLINE_EDITOR.Part}
      {...props}
    />
  )
}
