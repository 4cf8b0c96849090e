import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { personNamed } from '../../../data/organisations/person-name.ts'
import { cellEditor, CellPopover } from '../../../widgets/editing/many/cell-editor.tsx'
import type { ViewContext } from '../list/view.ts'
import { useChange } from './use-change.tsx'
import { useChoices } from './use-choices.ts'

/** Edits a cell of the table of plans beside it. */
export const InlineEditor = cellEditor<SuccessPlan, ViewContext>(function OpenEditor(props) {
  const { record: plan, field, anchor, context, refocus } = props
  const plans = [plan]
  const { choose, dialog } = useChange(plans, refocus)
  return (
    <CellPopover
      record={plan}
      field={field}
      anchor={anchor}
      owner={plan.owner_id === null ? undefined : personNamed(context.nameOf, plan.owner_id)}
      choices={useChoices(plans, choose)}
      onEnd={(end_date) => choose({ kind: 'end', end_date })}
      question={dialog}
    />
  )
})
