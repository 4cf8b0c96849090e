import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { usePlans } from '../../../data/success-plans/queries.ts'
import type { RowSelection } from '../../../ui/list/row-selection.tsx'
import { useSelectedRows } from '../../../ui/list/use-selected-rows.ts'
import { groupPlans } from '../list/table/grouping.ts'
import type { Group, ViewContext } from '../list/view.ts'
import { BulkBar } from './bulk-bar.tsx'
import { InlineEditor, type EditedCell } from './inline-editor.tsx'
import { bulkMessages as messages } from './messages.ts'

/** What the rows of the list offer. */
export interface RowActions {
  selection: Omit<RowSelection, 'label'>
  /** The same for the list of phones, whose rows are links until a selection is begun. */
  checkboxes: RowActions['selection'] | undefined
  /** Edits a cell. */
  edit: (cell: EditedCell) => void
}

interface BulkChangesProps {
  /** The plans that the list shows. */
  plans: readonly SuccessPlan[]
  group: Group
  context: ViewContext
  /** The list shows checkboxes though nothing is selected. */
  isSelecting: boolean
  onSelecting: (isSelecting: boolean) => void
  /** Gets what the rows of the list offer, again after each change. */
  onActions: (actions: RowActions) => void
}

const NO_PLANS: readonly SuccessPlan[] = []

/** Selects plans of the list and changes them, many at once or a single one in its cell. */
export function BulkChanges(props: BulkChangesProps) {
  const { plans, group, context, isSelecting, onSelecting, onActions } = props
  const all = usePlans().plans ?? NO_PLANS
  const { nameOf } = context
  /** In the order of the list. */
  const shown = useMemo(
    () => groupPlans(plans, group, nameOf)?.flatMap(({ items }) => items) ?? plans,
    [plans, group, nameOf],
  )
  const order = useMemo(() => shown.map(({ id }) => id), [shown])
  const bar = useRef<HTMLElement>(null)
  const onDone = () => bar.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
  const { rows: selection, clear } = useSelectedRows({ order, onDone })
  const [edited, setEdited] = useState<{ cell: EditedCell; number: number }>()
  const edit = useCallback(
    (cell: EditedCell) => setEdited((last) => ({ cell, number: (last?.number ?? 0) + 1 })),
    [],
  )
  // In the same frame: a checkbox shows its new state at once.
  const checkboxes = isSelecting || selection.selected.size > 0 ? selection : undefined
  useLayoutEffect(
    () => onActions({ selection, checkboxes, edit }),
    [selection, checkboxes, edit, onActions],
  )
  useLongPress((id) => {
    onSelecting(true)
    selection.toggle(id, false)
  })

  const { selected } = selection
  const isChosen = ({ id }: SuccessPlan) => selected.has(id)
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
          plans={chosen}
          hidden={others.length}
          shown={chosenShown.length < shown.length ? shown.length : 0}
          context={context}
          onSelectAll={() => selection.toggleAll(order)}
          onClear={() => {
            clear()
            onSelecting(false)
          }}
        />
      )}
      {edited && <InlineEditor key={edited.number} {...edited.cell} nameOf={nameOf} />}
    </>
  )
}

/** Calls `onPress` with the id of a row that is pressed for long by touch. */
function useLongPress(onPress: (id: string) => void) {
  const press = useEffectEvent(onPress)
  useEffect(() => {
    const handlePress = (event: MouseEvent) => {
      const { target } = event
      const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
      const row = target instanceof Element && target.closest<HTMLElement>('[data-row]')
      if (!isTouch || !row) return
      // In place of the browser's menu for the link.
      event.preventDefault()
      press(row.dataset['row'] ?? '')
    }
    window.addEventListener('contextmenu', handlePress)
    return () => window.removeEventListener('contextmenu', handlePress)
  }, [])
}
