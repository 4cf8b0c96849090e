import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { cellEditor, CellPopover } from '../../../widgets/editing/many/cell-editor.tsx'
import type { ViewContext } from '../list/view.ts'
import { useChange } from './use-change.tsx'
import { useChoices } from './use-choices.ts'

/** Edits a cell of the table of plans beside it. */
export const InlineEditor = cellEditor<SuccessPlan, ViewContext>(function OpenEditor(props) {
  const { record: plan, field, anchor, context } = props
  const plans = [plan]
  const { choose, dialog } = useChange(plans, () => anchor.focus())
  return (
    <CellPopover
      record={plan}
      field={field}
      anchor={anchor}
      owner={context.nameOf('organisation_users', plan.owner_id)}
      choices={useChoices(plans, choose)}
      onEnd={(end_date) => choose({ kind: 'end', end_date })}
      question={dialog}
    />
  )
})
