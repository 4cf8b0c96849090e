import { Suspense, useCallback, useMemo, useState } from 'react'
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
import type { EditedCell } from './inline-editor.tsx'
import { planMessages } from '../messages.ts'

/** What the rows of the list offer. */
export interface RowActions extends SelectableRows {
  /** Edits a cell. */
  edit: (cell: EditedCell) => void
}

interface BulkChangesProps extends Selecting {
  /** The plans that the list shows. */
  plans: readonly SuccessPlan[]
  group: Group
  context: ViewContext
  /** Gets what the rows of the list offer, again after each change. Stable. */
  onActions: (actions: RowActions) => void
}

const NO_PLANS: readonly SuccessPlan[] = []

/** Selects plans of the list and changes them, many at once or a single one in its cell. */
export function BulkChanges(props: BulkChangesProps) {
  const { plans, group, context, onActions, ...selecting } = props
  const all = usePlans().plans ?? NO_PLANS
  const { nameOf } = context
  const shown = useMemo(
    () => groupPlans(plans, group, nameOf)?.flatMap(({ items }) => items) ?? plans,
    [plans, group, nameOf],
  )
  const [edited, setEdited] = useState<{ cell: EditedCell; number: number }>()
  const edit = useCallback(
    (cell: EditedCell) => setEdited((last) => ({ cell, number: (last?.number ?? 0) + 1 })),
    [],
  )
  const onRows = useCallback(
    (rows: SelectableRows) => onActions({ ...rows, edit }),
    [edit, onActions],
  )
  return (
    <>
      <BulkSelection
        label={planMessages.selectedPlans}
        shown={shown}
        all={all}
        idNow={useCurrentIds()}
        onRows={onRows}
        Actions={BULK_ACTIONS.Part}
        context={context}
        {...selecting}
      />
      <Suspense>
        {edited && (
          <INLINE_EDITOR.Part
            key={edited.number}
            {...edited.cell}
            plan={all.find(({ id }) => id === edited.cell.plan.id) ?? edited.cell.plan}
            nameOf={nameOf}
          />
        )}
      </Suspense>
    </>
  )
}
