import { useState, type ComponentType, type ReactNode } from 'react'
import { useOutboxRead } from '../../../sync/react/use-sync.ts'
import type { CellEditorProps } from '../../../ui/list/bulk/bulk-selection.tsx'
import { MenuAt, type MenuItem } from '../../../ui/overlay/menu-panel.tsx'
import type { EditedField } from '../../cells/editable-cell.tsx'
import { DayPopover } from './day-popover.tsx'
import { manyMessages as messages, type NamedRecord } from './messages.ts'

interface Opened {
  field: EditedField
  /** Gives the cell the focus after an undo, unless another row has its element by then. */
  refocus: () => void
}

type OpenProps<T, Context> = CellEditorProps<T, Context> & Opened

const rowOf = (element: HTMLElement) => element.closest('[data-row]')?.getAttribute('data-row')

/**
 * Makes what edits a cell from `Open`. It is rendered once it is known which edits of the record are stored, and its
 * `record` stays the one of that moment: what others change meanwhile has not been seen.
 */
export function cellEditor<T, Context>(
  Open: ComponentType<OpenProps<T, Context>>,
): (props: CellEditorProps<T, Context>) => ReactNode {
  function OpenOnce(props: CellEditorProps<T, Context>) {
    const { anchor } = props
    const [record] = useState(props.record)
    const [row] = useState(() => rowOf(anchor))
    const refocus = () => rowOf(anchor) === row && anchor.focus()
    // Safe cast: `EditableCell` names the field.
    return <Open {...props} record={record} field={props.field as EditedField} refocus={refocus} />
  }
  return (props) => (useOutboxRead() ? <OpenOnce {...props} /> : null)
}

/** The value that the record has already changes nothing. */
const withoutRepeat = (item: MenuItem): MenuItem =>
  item.chosen ? { ...item, onSelect: () => undefined } : item

interface CellPopoverProps {
  record: NamedRecord
  field: EditedField
  /** The button in the cell, which has the focus afterwards. */
  anchor: HTMLElement
  /** The name of the owner. */
  owner: string | undefined
  /** What can be chosen for each field. */
  choices: Partial<Record<EditedField, MenuItem[]>>
  /** Saves another end date. */
  onEnd?: (day: string | null) => void
  /** What is asked after a choice. */
  question?: ReactNode
}

/** The values of one field as a menu beside its cell, or a form for the end date. */
export function CellPopover(props: CellPopoverProps) {
  const { record, field, anchor, owner, choices, onEnd, question } = props
  const [isOpen, setOpen] = useState(true)
  const shared = {
    anchor,
    label: messages.cell(field, record, owner),
    onClose: () => setOpen(false),
  }
  return (
    <>
      {isOpen &&
        (field === 'end_date' && onEnd ? (
          <DayPopover {...shared} record={record} onSave={onEnd} />
        ) : (
          <MenuAt {...shared} items={(choices[field] ?? []).map(withoutRepeat)} />
        ))}
      {question}
    </>
  )
}
