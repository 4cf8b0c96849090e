import { GripVertical } from 'lucide-react'
import {
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { moveMessages as messages } from '../move-messages.ts'
import { MenuAt } from '../overlay/menu-panel.tsx'

interface SortableListProps<T> {
  label: string
  items: readonly T[]
  idOf: (item: T) => string
  titleOf: (item: T) => string
  /** Renders one row; it places `handle`, the button that moves it. */
  row: (item: T, handle: ReactNode) => ReactNode
  /** Moves the item at index `from` to index `to`. */
  onMove: (from: number, to: number) => void
  className?: string
}

/** How far the pointer may move in a click. */
const CLICK_PX = 4

const STEPS = [
  [-1, messages.up],
  [1, messages.down],
] as const

interface Drag {
  from: number
  to: number
  startY: number
  dy: number
  /** Positions of the rows when the drag started. */
  boxes: readonly DOMRect[]
}

/**
 * A list whose rows can be reordered by dragging the handle, with the arrow keys on it, or from the menu that a click
 * on it opens. Moves are announced.
 */
export function SortableList<T>(props: SortableListProps<T>) {
  const { label, items, idOf, titleOf, row, onMove, className } = props
  const list = useRef<HTMLUListElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const [announcement, setAnnouncement] = useState('')
  const stepped = useRef<{ id: string; to: number }>(undefined)
  const [menu, setMenu] = useState<{ id: string; anchor: HTMLElement }>()
  // Others may move rows while it is open.
  const menuAt = items.findIndex((item) => idOf(item) === menu?.id)
  const isDragged = useRef(false)

  // Moving a row in the document removes the focus from its handle; restore it for the next key press.
  useLayoutEffect(() => {
    const { id, to } = stepped.current ?? {}
    const item = to === undefined ? undefined : items[to]
    if (id === undefined || !item || idOf(item) !== id) return
    stepped.current = undefined
    if (document.activeElement !== document.body) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(id)}"]`)?.focus()
  })

  function move(from: number, to: number) {
    const item = items[from]
    if (!item || to < 0 || to >= items.length || to === from) return
    onMove(from, to)
    setAnnouncement(messages.moved(titleOf(item), to + 1, items.length))
  }

  function step(from: number, to: number) {
    const item = items[from]
    stepped.current = item && { id: idOf(item), to }
    move(from, to)
  }

  function onKeyDown(event: KeyboardEvent, at: number) {
    if (event.key === 'Escape' && drag) {
      event.preventDefault()
      return setDrag(undefined)
    }
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return undefined
    event.preventDefault()
    return step(at, event.key === 'ArrowUp' ? at - 1 : at + 1)
  }

  function onPointerDown(event: PointerEvent<HTMLElement>, from: number) {
    isDragged.current = false
    if (event.button !== 0 || !list.current) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const boxes = [...list.current.children].map((child) => child.getBoundingClientRect())
    setDrag({ from, to: from, startY: event.clientY, dy: 0, boxes })
  }

  function onPointerMove(event: PointerEvent) {
    if (!drag) return
    const dy = event.clientY - drag.startY
    // A click can move the pointer by some pixels: that is no drag.
    isDragged.current ||= Math.abs(dy) > CLICK_PX
    setDrag({ ...drag, dy, to: indexAt(drag, dy) })
  }

  function onPointerUp() {
    if (!drag) return
    setDrag(undefined)
    move(drag.from, drag.to)
  }

  return (
    <>
      {/* It takes the focus when a row that has it is removed. */}
      <ul ref={list} tabIndex={-1} aria-label={label} className={className}>
        {items.map((item, at) => (
          <li key={idOf(item)} style={shiftOf(drag, at)} className={drag ? rowClass(drag, at) : ''}>
            {row(
              item,
              items.length > 1 && (
                <button
                  type="button"
                  data-handle={idOf(item)}
                  aria-label={messages.move(titleOf(item))}
                  title={messages.hint}
                  aria-haspopup="menu"
                  aria-expanded={menuAt === at}
                  onClick={({ currentTarget: anchor, detail }) =>
                    // `detail` is 0 for a click by keyboard or assistive technology, which no drag comes before.
                    (detail === 0 || !isDragged.current) && setMenu({ id: idOf(item), anchor })
                  }
                  onKeyDown={(event) => onKeyDown(event, at)}
                  onPointerDown={(event) => onPointerDown(event, at)}
                  onPointerMove={onPointerMove}
                  onPointerUp={onPointerUp}
                  onPointerCancel={() => setDrag(undefined)}
                  className="grid size-9 shrink-0 cursor-grab touch-none place-items-center rounded-md text-ink-faint hover:bg-sunken hover:text-ink active:cursor-grabbing coarse:size-11"
                >
                  <GripVertical aria-hidden className="size-4" />
                </button>
              ),
            )}
          </li>
        ))}
      </ul>
      {menu && items[menuAt] && (
        <MenuAt
          anchor={menu.anchor}
          label={messages.move(titleOf(items[menuAt]))}
          items={STEPS.filter(([by]) => items[menuAt + by]).map(([by, label]) => ({
            label,
            onSelect: () => step(menuAt, menuAt + by),
          }))}
          onClose={() => setMenu(undefined)}
        />
      )}
      <output className="sr-only">{announcement}</output>
    </>
  )
}

/** The index of a row dragged by `dy` pixels: after all rows whose middle it has passed. */
function indexAt({ from, boxes }: Drag, dy: number): number {
  const own = boxes[from]
  if (!own) return from
  const [top, bottom] = [own.top + dy, own.bottom + dy]
  const middle = (box: DOMRect) => box.top + box.height / 2
  const passed = boxes.filter((box, at) => at > from && bottom > middle(box)).length
  const passedUp = boxes.filter((box, at) => at < from && top < middle(box)).length
  return from + passed - passedUp
}

/** The dragged row follows the pointer; the others make room. */
function shiftOf(drag: Drag | undefined, at: number) {
  if (!drag) return undefined
  const { from, to, dy, boxes } = drag
  if (at === from) return { transform: `translateY(${dy}px)` }
  const height = boxes[from]?.height ?? 0
  const isBetween = (at > from && at <= to) || (at < from && at >= to)
  return isBetween ? { transform: `translateY(${at > from ? -height : height}px)` } : undefined
}

const rowClass = ({ from }: Drag, at: number) =>
  at === from
    ? 'relative z-10 rounded-md bg-raised shadow-float'
    : 'transition-transform duration-150'
