import { memo, useMemo } from 'react'
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import { usePendingPlans } from '../../../../data/success-plans/queries.ts'
import { useKeeps } from '../../../../sync/react/use-sync.ts'
import { paramsInUrl } from '../../../../ui/form/use-url-text.ts'
import { LongTable } from '../../../../ui/list/long-table.tsx'
import type { Preview } from '../../../../ui/list/row-keys.ts'
import { useRowSelection } from '../../../../ui/list/bulk/use-row-selection.ts'
import type { SelectableRows } from '../../../../ui/list/bulk/bulk-selection.tsx'
import { useNames } from '../../use-names.ts'
import { readSort, type Sort, type SortKey } from '../order.ts'
import type { Group } from '../view.ts'
import { CellContext } from './cells.tsx'
import { hiddenColumns, PLAN_COLUMNS } from './columns.tsx'
import { groupPlans } from './grouping.ts'
import { planMessages } from '../../messages.ts'

interface PlanTableProps {
  plans: readonly SuccessPlan[]
  today: string
  now: number
  sort: Sort
  group: Group
  /** Columns that are left out, with commas between. */
  hidden: string
  onChange: (change: { sort: Sort }) => void
  /** What the rows offer; undefined until it is loaded. */
  actions: SelectableRows | undefined
  /** Shows a plan beside the table. */
  preview?: Preview | undefined
}

/** Plans as a table; only rows near the viewport are rendered. */
export const PlanTable = memo(function PlanTable(props: PlanTableProps) {
  const { plans, today, now, sort, group, hidden, onChange, actions, preview } = props
  const nameOf = useNames()
  const pending = usePendingPlans()
  const edit = actions?.edit
  const keeps = useKeeps('success_plans')
  const context = useMemo(
    () => ({ today, now, nameOf, pending, edit, keeps }),
    [today, now, nameOf, pending, edit, keeps],
  )
  const groups = useMemo(() => groupPlans(plans, group, nameOf), [plans, group, nameOf])
  const columns = useMemo(() => {
    const left = hiddenColumns(hidden)
    return PLAN_COLUMNS.filter((column) => !left.has(column.key))
  }, [hidden])
  const selection = useRowSelection(actions, plans, idOf, labelOf)
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
        groups={groups}
        columns={columns}
        sorted={{ key, reversed }}
        onSort={(pressed) => onChange({ sort: nextSort(pressed as SortKey) })}
        selection={selection}
        preview={preview}
      />
    </CellContext>
  )
})

const idOf = ({ id }: SuccessPlan) => id
const labelOf = ({ title }: SuccessPlan) => planMessages.selectRow(title)

/** The order after a press on a heading: the other direction of the same column, or the first of another. */
function nextSort(pressed: SortKey): Sort {
  const now = readSort(paramsInUrl().get('sort'))
  if (now === pressed) return `-${pressed}`
  if (now === `-${pressed}`) return pressed
  const column = PLAN_COLUMNS.find(({ key }) => key === pressed)
  return column?.sort === 'descending' ? `-${pressed}` : pressed
}
