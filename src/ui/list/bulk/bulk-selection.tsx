import {
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
} from 'react'
import type { RowSelection } from '../row-selection.tsx'
import { useSelectedRows } from '../use-selected-rows.ts'
import { BulkBar } from './bulk-bar.tsx'
import { selectionMessages as messages } from './messages.ts'

/** A cell of a table that is edited. */
interface EditedCell {
  /** The id of its row. */
  id: string
  /** The field of the record. */
  field: string
  /** The button in the cell. */
  anchor: HTMLElement
}

/** What the rows of a list offer: a selection, and cells that are edited. */
export interface SelectableRows {
  selection: Omit<RowSelection, 'label'>
  /** The same for the list of phones, whose rows are links until a selection is begun. */
  checkboxes: SelectableRows['selection'] | undefined
  /** Edits a cell. Stable. */
  edit: (cell: EditedCell) => void
}

/** What edits a cell beside it. */
export interface CellEditorProps<T, Context> extends Omit<EditedCell, 'id'> {
  record: T
  context: Context
}

/** Whether a list on a phone shows checkboxes before anything is selected, and a function to change that. */
export interface Selecting {
  isSelecting: boolean
  onSelecting: (isSelecting: boolean) => void
}

/** What can be done with selected records. */
export interface BulkActionsProps<T, Context> {
  /** Those that the list shows come first. */
  selected: readonly T[]
  context: Context
  focusBar: () => void
}

interface BulkSelectionProps<T, Context> extends Selecting {
  /** The name of the bar. */
  label: string
  /** What the list shows, in its order. */
  shown: readonly T[]
  /** Filtered or not: what is selected stays selected when a filter hides it. */
  all: readonly T[]
  /** Returns the present id of the record that had this id before. */
  idNow: (id: string) => string
  /** Gets what the rows offer, again after each change. Stable. */
  onRows: (rows: SelectableRows) => void
  /** May be lazy. */
  Actions: ComponentType<BulkActionsProps<T, Context>>
  /** Has a `key` per edit. May be lazy. */
  Editor: ComponentType<CellEditorProps<T, Context>>
  /** What actions and editor need besides the records. */
  context: Context
}

/**
 * Selects records of a list whose rows have `data-row`, and shows in a bar what can be done with them; edits a single
 * one in its cell.
 */
export function BulkSelection<T extends { id: string }, Context>(
  props: BulkSelectionProps<T, Context>,
) {
  const { label, shown, all, idNow, isSelecting, onSelecting, onRows, context } = props
  const { Actions, Editor } = props
  const [edited, setEdited] = useState<{ cell: EditedCell; number: number }>()
  const edit = useCallback(
    (cell: EditedCell) => setEdited((last) => ({ cell, number: (last?.number ?? 0) + 1 })),
    [],
  )
  const order = useMemo(() => shown.map(({ id }) => id), [shown])
  const bar = useRef<HTMLElement>(null)
  const onDone = () =>
    (bar.current?.querySelector<HTMLElement>('[aria-haspopup]') ?? bar.current)?.focus()
  const { rows: selection, clear } = useSelectedRows({ order, idNow, bar, onDone })
  // In the same frame: a checkbox shows its new state at once.
  const checkboxes = isSelecting || selection.selected.size > 0 ? selection : undefined
  useLayoutEffect(
    () => onRows({ selection, checkboxes, edit }),
    [selection, checkboxes, edit, onRows],
  )
  useLongPress((id) => {
    // The heading of a group is a row as well.
    if (!order.includes(id)) return false
    onSelecting(true)
    selection.toggle(id, false)
    return true
  })

  const { selected } = selection
  const isChosen = ({ id }: T) => selected.has(id)
  const chosenShown = selected.size === 0 ? [] : shown.filter(isChosen)
  const listed = new Set(chosenShown)
  const others =
    selected.size > listed.size ? all.filter((one) => isChosen(one) && !listed.has(one)) : []
  const chosen = [...chosenShown, ...others]
  return (
    <>
      <output className="sr-only">
        {chosen.length > 0 && messages.announced(chosen.length, others.length)}
      </output>
      {(chosen.length > 0 || isSelecting) && (
        <BulkBar
          bar={bar}
          label={label}
          selected={chosen.length}
          hidden={others.length}
          shown={chosenShown.length < shown.length ? shown.length : 0}
          onSelectAll={() => selection.toggleAll(order)}
          onClear={() => {
            clear()
            onSelecting(false)
          }}
        >
          <Suspense>
            <Actions selected={chosen} context={context} focusBar={() => bar.current?.focus()} />
          </Suspense>
        </BulkBar>
      )}
      <Suspense>
        {edited && (
          <EditedRecord
            key={edited.number}
            Editor={Editor}
            field={edited.cell.field}
            anchor={edited.cell.anchor}
            found={all.find(({ id }) => id === idNow(edited.cell.id))}
            context={context}
          />
        )}
      </Suspense>
    </>
  )
}

interface EditedRecordProps<T, Context> extends Omit<CellEditorProps<T, Context>, 'record'> {
  Editor: ComponentType<CellEditorProps<T, Context>>
  found: T | undefined
}

/** The editor of a record. One that is deleted meanwhile keeps it, with what is being typed. */
function EditedRecord<T, Context>({ Editor, found, ...cell }: EditedRecordProps<T, Context>) {
  const [record, setRecord] = useState(found)
  if (found !== undefined && found !== record) setRecord(found)
  return record !== undefined && <Editor record={record} {...cell} />
}

/**
 * Calls `onPress` with the id of a row that is pressed for long by touch. If that returns true, it takes the
 * place of the browser's menu for the link.
 */
function useLongPress(onPress: (id: string) => boolean) {
  const press = useEffectEvent(onPress)
  useEffect(() => {
    const handlePress = (event: MouseEvent) => {
      const { target } = event
      const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
      const row = target instanceof Element && target.closest<HTMLElement>('[data-row]')
      if (isTouch && row && press(row.dataset['row'] ?? '')) event.preventDefault()
    }
    window.addEventListener('contextmenu', handlePress)
    return () => window.removeEventListener('contextmenu', handlePress)
  }, [])
}
