import { toast } from '../../../ui/overlay/toast.tsx'
import type { InitiativeWork } from '../../../data/initiatives.ts'
import { cellEditor, CellPopover } from '../../../widgets/editing/many/cell-editor.tsx'
import type { RecordChange } from '../../../widgets/editing/many/record-change.ts'
import { useRecordChoices } from '../../../widgets/editing/many/use-record-choices.ts'
import { changeManyMessages } from '../../../widgets/editing/messages.ts'
import type { RowContext } from '../initiative-table.tsx'
import { changeInitiatives } from './change-initiatives.ts'

/** Edits a cell of the table of initiatives beside it. */
export const InlineEditor = cellEditor<InitiativeWork, RowContext>(function OpenEditor(props) {
  const { field, anchor, context, refocus } = props
  const { initiative } = props.record
  const initiatives = [initiative]
  const change = (to: RecordChange) =>
    void changeInitiatives(initiatives, to, refocus).catch(() => toast(changeManyMessages.failed))
  const choices = useRecordChoices(initiatives, change)
  // Of many, a status that is not allowed says so; here it would be most of the menu.
  const status = choices.status.filter(({ unavailable }) => unavailable === undefined)
  return (
    <CellPopover
      record={initiative}
      field={field}
      anchor={anchor}
      owner={initiative.owner_id === null ? undefined : context.personOf(initiative.owner_id)}
      choices={{ ...choices, status }}
      onEnd={(end_date) => change({ kind: 'end', end_date })}
    />
  )
})
