import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react'
import { shortcutLetter } from '../platform/keyboard.ts'
import type { RowSelection } from './row-selection.tsx'
import { NONE_SELECTED, extendTo, stepTo, toggleAll, toggleRow, withIds } from './selected-rows.ts'

interface SelectedRowsOptions {
  /** The ids of the listed rows, in their order. */
  order: readonly string[]
  /** Returns the id that the row of an earlier one has now. */
  idNow: (id: string) => string
  /** What can be done with the rows; shown while some are selected. */
  bar: RefObject<HTMLElement | null>
  /** Called when the user is done with selecting, to move the focus to what can be done. */
  onDone: () => void
}

/** What lies over the list, and takes its keys. */
const COVERING = '[role$=dialog], [popover=auto]:popover-open'
/** Where keys have a meaning of their own. */
const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable], [popover]'

/**
 * The selected rows of a list whose rows have `data-row`. Also by keys: Shift with
 * an arrow for a range, Ctrl or Command with A for all and with Enter to go on, Escape for none.
 */
export function useSelectedRows({ order, idNow, bar, onDone }: SelectedRowsOptions) {
  const [chosen, setSelected] = useState(NONE_SELECTED)
  const selected = withIds(chosen, idNow)
  if (selected !== chosen) setSelected(selected)
  const { ids } = selected
  const latest = useRef(order)
  useLayoutEffect(() => {
    latest.current = order
  })

  function clear() {
    setSelected(NONE_SELECTED)
    // The bar goes away, and a focus in it would be lost: it returns to the row that was selected last, or to
    // the checkbox above all rows. A narrow list has its links in the next frame.
    if (bar.current?.contains(document.activeElement))
      requestAnimationFrame(() =>
        (find(`${rowOf(selected.range?.to)} a`) ?? find('thead [type=checkbox]'))?.focus(),
      )
  }

  /** Whether the key meant the selection. */
  const press = useEffectEvent((event: KeyboardEvent, target: Element): boolean => {
    const { key, shiftKey, repeat } = event
    const id = target.closest<HTMLElement>('[data-row]')?.dataset['row']
    if (event.ctrlKey || event.metaKey) {
      if (shiftKey || (ids.size === 0 && id === undefined)) return false
      // Held, it would press what has the focus then.
      if (key === 'Enter' && ids.size > 0 && (repeat || id !== undefined)) {
        if (!repeat) onDone()
      } else if (shortcutLetter(event) === 'a') setSelected({ ids: new Set([...ids, ...order]) })
      else return false
      return true
    }
    if (key === 'Escape' && ids.size > 0) clear()
    else if (id !== undefined && shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
      const next = order[order.indexOf(id) + (key === 'ArrowDown' ? 1 : -1)]
      if (next === undefined) return false
      setSelected(stepTo(selected, [id, next], order))
      focusRow(next, target)
    } else return false
    return true
  })
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const { target } = event
      if (event.defaultPrevented || event.altKey || !(target instanceof Element)) return
      if (target.closest(TYPING) || document.querySelector(COVERING)) return
      if (press(event, target)) event.preventDefault()
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])

  // The same object until the selection changes, so that the list is not rendered again.
  const rows = useMemo(
    (): Omit<RowSelection, 'label'> => ({
      selected: ids,
      toggle: (id, extend) =>
        setSelected((now) => (extend ? extendTo(now, id, latest.current) : toggleRow(now, id))),
      toggleAll: (shown) => setSelected((now) => toggleAll(now, shown)),
    }),
    [ids],
  )
  return { rows, clear }
}

/** Moves the focus to a row: to its checkbox if `from` is one, else to its link. */
function focusRow(id: string, from: Element): void {
  const control = from.matches('[type=checkbox]') ? '[type=checkbox]' : 'a'
  find(`${rowOf(id)} ${control}`)?.focus()
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector)
const rowOf = (id = '') => `[data-row="${CSS.escape(id)}"]`
