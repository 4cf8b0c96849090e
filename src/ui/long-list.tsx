import {
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react'

/** Rows beyond the window's edges that are drawn as well, so that fast scrolling meets no gap. */
const BEYOND = 12
/** Fewer are enough for the first paint, and for each key of a search; the others come right after it. */
const AT_FIRST = 4
/** The drawn range moves in steps of so many rows: not every pixel is a render. */
const STEP = 4
/** The height of a row as last measured, by list: a list that is come back to has its length at once. */
const heights = new Map<string, number>()

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
  const [seen, setSeen] = useState({ first: 0, last: 0 })
  const length = items.length
  /** For which length the rows beyond the edges are drawn: a search changes it at each key. */
  const [filled, setFilled] = useState<number>()
  const beyond = filled === length ? BEYOND : AT_FIRST

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
    look()
    // A change of the text's size or of the window's width changes the rows.
    const observer = new ResizeObserver(look)
    observer.observe(element)
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
    }
  }, [label])

  const from = Math.max(0, Math.min(seen.first, length - beyond) - beyond)
  const to = Math.min(length, Math.max(from + beyond, seen.last) + beyond)
  return (
    <ul
      ref={list}
      aria-label={label}
      style={{ paddingTop: from * height, paddingBottom: (length - to) * height }}
      className={`[overflow-anchor:none] ${className}`}
    >
      {items.slice(from, to).map((item, index) => (
        <li
          key={idOf(item)}
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
