import type { ReactNode } from 'react'
import type { SelectableRows } from '../../ui/list/bulk/bulk-selection.tsx'
import type { TableColumn } from '../../ui/list/table-row.tsx'
import { editableCellMessages as messages } from './messages.ts'

/** A field of a record that is edited in its cell. */
export type EditedField = keyof typeof messages.change

interface EditableCellProps {
  /** The id of the row. */
  id: string
  field: EditedField
  /** Undefined where the field cannot be edited, and until that is loaded. */
  edit: SelectableRows['edit'] | undefined
  /** The value; null, undefined, false or empty if there is none. */
  children: ReactNode
}

/** A value that a click, Enter or F2 edits beside its cell. Where there is none, a dash. */
export function EditableCell({ id, field, edit, children }: EditableCellProps) {
  const value = children || (
    <>
      <span aria-hidden className="text-ink-faint">
        {messages.none}
      </span>
      <span className="sr-only">{messages.missing[field]}</span>
    </>
  )
  if (!edit) return value
  return (
    <button
      type="button"
      aria-haspopup={field === 'end_date' ? 'dialog' : 'menu'}
      title={messages.change[field]}
      onClick={({ currentTarget: anchor }) => edit({ id, field, anchor })}
      onKeyDown={({ key, currentTarget: anchor }) => key === 'F2' && edit({ id, field, anchor })}
      style={{ width: 'calc(100% + 1rem)' }}
      className="-mx-2 flex h-(--row) cursor-pointer items-center px-2 text-start -outline-offset-2 hover:bg-sunken"
    >
      {value}
    </button>
  )
}

/** A column of a table, and the field that its cells edit. */
export type EditableColumn<T> = TableColumn<T> & { edits?: EditedField }

interface Editing<T> {
  /** Undefined until that is loaded. */
  edit: SelectableRows['edit'] | undefined
  idOf: (item: T) => string
  /** Whether the field can be edited in the row of `item`. */
  canEdit: (field: EditedField, item: T) => boolean
}

/** The columns with cells that are edited. */
export const editableColumns = <T,>(
  columns: readonly EditableColumn<T>[],
  { edit, idOf, canEdit }: Editing<T>,
): readonly TableColumn<T>[] =>
  columns.map(({ edits, ...column }) =>
    edits === undefined
      ? column
      : {
          ...column,
          cell: (item) => (
            <EditableCell
              id={idOf(item)}
              field={edits}
              edit={canEdit(edits, item) ? edit : undefined}
            >
              {column.cell(item)}
            </EditableCell>
          ),
        },
  )
