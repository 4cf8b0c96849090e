import {
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from 'react'
import { flushSync } from 'react-dom'

/** Extra rows rendered above and below the viewport, so that fast scrolling shows no gap. */
const OVERSCAN_ROWS = 12
/** The rendered range moves in steps of this many rows, to avoid a render per pixel. */
const STEP = 4
/**
 * Measured row height by list label, so that a list has its full length at once when it is shown again.
 */
const heights = new Map<string, number>()

/** Which element renders which item. */
interface Elements {
  ids: readonly string[]
  keys: ReadonlyMap<string, number>
}
const NONE: Elements = { ids: [], keys: new Map() }

/**
 * When this page showed its first rows, in milliseconds since its start. Undefined before that,
 * and always if the user acted before it or the page was hidden.
 */
export const firstRows: { atMs?: number; isNoted?: true } = {}

/** Notes the time of the first rows, once. */
export function noteFirstRows(): void {
  if (firstRows.isNoted) return
  firstRows.isNoted = true
  // Older browsers do not tell whether the user has acted.
  const hasActed = (navigator as Partial<Navigator>).userActivation?.hasBeenActive === true
  if (!hasActed && !document.hidden) firstRows.atMs = performance.now()
}

/**
 * Assigns elements to a new set of items: an item keeps its element, and a new item reuses the element
 * of one that left. Scrolling and searching then change few elements.
 */
function elementsFor(ids: readonly string[], before: Elements): Elements {
  if (ids.length === before.ids.length && ids.every((id, index) => id === before.ids[index]))
    return before
  const remaining = new Set(ids)
  const free = before.ids.flatMap((id) => (remaining.has(id) ? [] : [before.keys.get(id) ?? 0]))
  let next = Math.max(-1, ...before.keys.values()) + 1
  const keys = new Map(ids.map((id) => [id, before.keys.get(id) ?? free.shift() ?? next++]))
  return { ids, keys }
}

interface RowWindow<T> {
  /** The rendered items. */
  rows: readonly T[]
  /** Index of the first rendered item. */
  from: number
  /** Height in pixels of the rows that are not rendered, above and below. */
  above: number
  below: number
  /** The React key of an item's row. */
  keyOf: (item: T) => number | undefined
}

/**
 * The items near the viewport, for a list or table of rows of one height that scrolls with the page.
 * Each row has `data-row` with its item's id. Measured heights are remembered by `label`.
 */
export function useRowWindow<T>(
  list: RefObject<HTMLElement | null>,
  label: string,
  items: readonly T[],
  idOf: (item: T) => string,
): RowWindow<T> {
  const [height, setHeight] = useState(() => heights.get(label) ?? 0)
  // A few rows to measure the height.
  const [visible, setVisible] = useState({ first: 0, last: STEP })
  const length = items.length
  /** The length for which extra rows are rendered: they follow after the first paint. */
  const [filled, setFilled] = useState<number>()
  const beyond = filled === length ? OVERSCAN_ROWS : 0
  const [elements, setElements] = useState(NONE)
  const focused = useRef<string>(undefined)

  useEffect(() => {
    if (length > 0) noteFirstRows()
    startTransition(() => setFilled(length))
  }, [length])

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const look = () => {
      const rowHeight = heights.get(label) ?? 0
      if (rowHeight === 0) return
      const range = rangeAt(element.getBoundingClientRect().top, rowHeight)
      setVisible((now) => (now.first === range.first && now.last === range.last ? now : range))
    }
    const measure = () => {
      // Not the first one: below the space that stands in for rows it lacks half a border.
      const [only, row = only] = element.querySelectorAll('[data-row]')
      const rowHeight = row?.getBoundingClientRect().height ?? 0
      if (rowHeight === 0) return
      heights.set(label, rowHeight)
      setHeight(rowHeight)
      look()
    }
    const note = ({ target }: FocusEvent) => (focused.current = rowOf(target as Element))
    measure()
    // Text size and window width change the row height.
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('focusin', note)
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      element.removeEventListener('focusin', note)
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', measure)
    }
  }, [list, label])

  const isPrinting = usePrinting()
  const from = isPrinting ? 0 : Math.max(0, Math.min(visible.first, length - beyond) - beyond)
  const to = isPrinting ? length : Math.min(length, Math.max(from + beyond, visible.last) + beyond)
  const rows = items.slice(from, to)
  const now = elementsFor(rows.map(idOf), elements)
  if (now !== elements) setElements(now)

  // If the focused row was removed, drop the focus instead of moving it to the row that reuses its
  // element.
  useLayoutEffect(() => {
    const on = document.activeElement
    if (list.current?.contains(on) && rowOf(on) !== focused.current) (on as HTMLElement).blur()
  })

  return {
    rows,
    from,
    above: from * height,
    below: (length - to) * height,
    keyOf: (item) => now.keys.get(idOf(item)),
  }
}

/**
 * The range of rows to render without extra ones, with `top` pixels from the window to the list. Below the
 * list's beginning it has always the same length, so that rows that enter reuse elements of those that leave.
 */
function rangeAt(top: number, rowHeight: number) {
  const hidden = Math.max(0, Math.floor(-top / rowHeight))
  const first = hidden - (hidden % STEP)
  const most = Math.ceil(window.innerHeight / rowHeight) + 1 + STEP
  const needed = Math.max(0, Math.ceil((window.innerHeight - top) / rowHeight))
  const last = first === 0 ? Math.min(most, needed + STEP - (needed % STEP)) : first + most
  return { first, last }
}

/** Whether the page is being printed: then there is no viewport, and all rows belong on paper. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The browser lays out the pages right after the event.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

const rowOf = (element: Element | null) =>
  element?.closest<HTMLElement>('[data-row]')?.dataset['row']
