import {
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react'

/** Rows beyond the window's edges that are drawn as well, so that fast scrolling meets no gap. */
const OVERSCAN_ROWS = 12
/** The drawn range moves in steps of so many rows: not every pixel is a render. */
const STEP = 4
/** The height of a row as last measured, by list: a list that is come back to has its length at once. */
const heights = new Map<string, number>()

/** Which element stands for which of the rows that are drawn. */
interface Elements {
  ids: readonly string[]
  keys: ReadonlyMap<string, number>
}
const NONE: Elements = { ids: [], keys: new Map() }

/**
 * The same for other rows: an item keeps its element, and one that comes takes over the element of one
 * that goes. A search and a thumb say something else in rows that are there, and make few.
 */
function elementsFor(ids: readonly string[], before: Elements): Elements {
  if (ids.length === before.ids.length && ids.every((id, index) => id === before.ids[index]))
    return before
  const stay = new Set(ids)
  const free = before.ids.flatMap((id) => (stay.has(id) ? [] : [before.keys.get(id) ?? 0]))
  let next = Math.max(-1, ...before.keys.values()) + 1
  const keys = new Map(ids.map((id) => [id, before.keys.get(id) ?? free.shift() ?? next++]))
  return { ids, keys }
}

interface LongListProps<T> {
  /** Read out, and what tells this list from others. */
  label: string
  items: readonly T[]
  idOf: (item: T) => string
  row: (item: T) => ReactNode
  className: string
  /** Gives every row one and the same height, whatever it holds. */
  rowClassName: string
}

/**
 * A list of rows of one height that scrolls with the page and draws only what is near the window.
 * Rows stand in the normal flow, the rest of the length is padding.
 */
export function LongList<T>(props: LongListProps<T>) {
  const { label, items, idOf, row, className, rowClassName } = props
  const list = useRef<HTMLUListElement>(null)
  const [height, setHeight] = useState(() => heights.get(label) ?? 0)
  // Some rows, so that there is one to measure.
  const [seen, setSeen] = useState({ first: 0, last: STEP })
  const length = items.length
  /** For which length the rows beyond the edges are drawn: they come after the first paint of each. */
  const [filled, setFilled] = useState<number>()
  const beyond = filled === length ? OVERSCAN_ROWS : 0
  const [elements, setElements] = useState(NONE)
  const focused = useRef<string>(undefined)

  useEffect(() => startTransition(() => setFilled(length)), [length])

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const look = () => {
      const tall = element.firstElementChild?.getBoundingClientRect().height ?? 0
      if (tall === 0) return
      heights.set(label, tall)
      setHeight(tall)
      const { top } = element.getBoundingClientRect()
      const first = Math.max(0, Math.floor(-top / tall))
      const last = Math.max(0, Math.ceil((window.innerHeight - top) / tall))
      const [from, to] = [first - (first % STEP), last + STEP - (last % STEP)]
      setSeen((now) => (now.first === from && now.last === to ? now : { first: from, last: to }))
    }
    const note = ({ target }: FocusEvent) => (focused.current = rowOf(target as Element))
    look()
    // A change of the text's size or of the window's width changes the rows.
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('focusin', note)
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    return () => {
      observer.disconnect()
      element.removeEventListener('focusin', note)
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
    }
  }, [label])

  const from = Math.max(0, Math.min(seen.first, length - beyond) - beyond)
  const to = Math.min(length, Math.max(from + beyond, seen.last) + beyond)
  const rows = items.slice(from, to)
  const now = elementsFor(rows.map(idOf), elements)
  if (now !== elements) setElements(now)

  // Who stood on a row that is gone stands on none, and not on the one in its place.
  useLayoutEffect(() => {
    const on = document.activeElement
    if (list.current?.contains(on) && rowOf(on) !== focused.current) (on as HTMLElement).blur()
  })

  return (
    <ul
      ref={list}
      aria-label={label}
      style={{ paddingTop: from * height, paddingBottom: (length - to) * height }}
      className={`[overflow-anchor:none] ${className}`}
    >
      {rows.map((item, index) => (
        <li
          key={now.keys.get(idOf(item))}
          data-row={idOf(item)}
          aria-setsize={length}
          aria-posinset={from + index + 1}
          className={`contain-strict ${rowClassName}`}
        >
          {row(item)}
        </li>
      ))}
    </ul>
  )
}

const rowOf = (element: Element | null) =>
  element?.closest<HTMLElement>('[data-row]')?.dataset['row']
