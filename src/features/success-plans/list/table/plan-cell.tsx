import { useContext, type ReactNode } from 'react'
import { transitionsFrom } from '../../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import { EditableCell, type EditedField } from '../../../../widgets/cells/editable-cell.tsx'
import { CellContext } from './cells.tsx'

interface PlanCellProps {
  plan: SuccessPlan
  field: Exclude<EditedField, 'tier'>
  /** Shows the value, if there is one. */
  children: ReactNode
}

/** A value of a plan that is edited in its cell. */
export function PlanCell({ plan, field, children }: PlanCellProps) {
  const { edit, keeps } = useContext(CellContext)
  const isFinal = field === 'status' && transitionsFrom(plan.status).length === 0
  return (
    <EditableCell id={plan.id} field={field} edit={isFinal || !keeps(field) ? undefined : edit}>
      {plan[field] !== null && children}
    </EditableCell>
  )
}
