import { memo } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { LongList } from '../../../ui/list/long-list.tsx'
import type { SelectableRows } from '../../../ui/list/bulk/bulk-selection.tsx'
import { PLAN_ROW_HEIGHT, PlanRow } from './plan-row.tsx'
import { useNames } from '../use-names.ts'
import { usePendingPlans } from '../../../data/success-plans/queries.ts'
import { planMessages } from '../messages.ts'

export interface PlanListProps {
  plans: readonly SuccessPlan[]
  today: string
  now: number
  /** Shows checkboxes: a press on a row selects it. */
  rows: SelectableRows['selection'] | undefined
}

/** Plans as a list of links; only rows near the viewport are rendered. */
export const PlanList = memo(function PlanList(props: PlanListProps) {
  const { plans, today, now, rows } = props
  const nameOf = useNames()
  const pending = usePendingPlans()
  const row = (plan: SuccessPlan) => (
    <PlanRow
      plan={plan}
      account={nameOf('accounts', plan.account_id)}
      today={today}
      now={now}
      pending={pending.get(plan.id)}
      rows={rows}
    />
  )
  return (
    <LongList
      label={planMessages.listLabel}
      items={plans}
      idOf={idOf}
      row={row}
      className="border-t border-line"
      rowClassName={PLAN_ROW_HEIGHT}
    />
  )
})

const idOf = ({ id }: SuccessPlan) => id
