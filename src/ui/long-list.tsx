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
/** As many as a phone shows are enough for the first paint; the others come right after it. */
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
  const [beyond, setBeyond] = useState(AT_FIRST)
  const [range, setRange] = useState({ from: 0, to: 2 * AT_FIRST })
  const length = items.length

  useEffect(() => startTransition(() => setBeyond(BEYOND)), [])

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const look = () => {
      const tall = element.firstElementChild?.getBoundingClientRect().height ?? 0
      if (tall === 0) return
      heights.set(label, tall)
      setHeight(tall)
      const { top } = element.getBoundingClientRect()
      const first = Math.floor(-top / tall) - beyond
      const last = Math.ceil((window.innerHeight - top) / tall) + beyond
      const from = Math.min(Math.max(0, length - 2 * beyond), Math.max(0, first - (first % STEP)))
      const to = Math.max(from + 2 * beyond, last + STEP - (last % STEP))
      setRange((now) => (now.from === from && now.to === to ? now : { from, to }))
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
  }, [label, length, beyond])

  const from = Math.min(range.from, length)
  const to = Math.min(range.to, length)
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
