import { memo, useMemo } from 'react'
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import { usePendingPlans } from '../../../../data/success-plans/queries.ts'
import { LongTable } from '../../../../ui/list/long-table.tsx'
import type { RowSelection } from '../../../../ui/list/row-selection.tsx'
import { useNames } from '../../use-names.ts'
import type { Sort, SortKey } from '../order.ts'
import { CellContext } from './cells.tsx'
import { PLAN_COLUMNS } from './columns.tsx'
import { planMessages } from '../../messages.ts'

interface PlanTableProps {
  plans: readonly SuccessPlan[]
  today: string
  now: number
  sort: Sort
  onChange: (change: { sort: Sort }) => void
  /** Shows a column of checkboxes. */
  selection?: RowSelection | undefined
}

/** Plans as a table; only rows near the viewport are rendered. */
export const PlanTable = memo(function PlanTable(props: PlanTableProps) {
  const { plans, today, now, sort, onChange, selection } = props
  const nameOf = useNames()
  const pending = usePendingPlans()
  const context = useMemo(() => ({ today, now, nameOf, pending }), [today, now, nameOf, pending])
  const isDescending = sort.startsWith('-')
  const key = sort.replace('-', '')
  const first = PLAN_COLUMNS.find((column) => column.key === key)?.sort
  const reversed = isDescending !== (first === 'descending')
  return (
    <CellContext value={context}>
      <LongTable
        label={planMessages.listLabel}
        items={plans}
        idOf={idOf}
        columns={PLAN_COLUMNS}
        sorted={{ key, reversed }}
        onSort={(pressed) => onChange({ sort: nextSort(pressed as SortKey, sort) })}
        selection={selection}
      />
    </CellContext>
  )
})

const idOf = ({ id }: SuccessPlan) => id

/** The order after a press on a heading: the other direction of the same column, or the first of another. */
function nextSort(pressed: SortKey, now: Sort): Sort {
  if (now === pressed) return `-${pressed}`
  if (now === `-${pressed}`) return pressed
  const column = PLAN_COLUMNS.find(({ key }) => key === pressed)
  return column?.sort === 'descending' ? `-${pressed}` : pressed
}
