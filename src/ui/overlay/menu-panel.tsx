import { Check, type LucideIcon } from 'lucide-react'
import {
  Fragment,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { KeyHint } from '../key-hint.tsx'
import { shortcutLetter } from '../platform/keyboard.ts'
import { foldText } from '../text/fold-text.ts'
import { positionPopover } from './position-popover.ts'

/** One entry of a menu. */
export interface MenuItem {
  label: string
  /** Tells entries apart that may have the same label. */
  id?: string
  onSelect: () => void
  icon?: LucideIcon
  /** Set for items of which one is selected: a sort order, a theme. */
  chosen?: boolean
  danger?: boolean
  /** A key that chooses it, also while the menu is closed (`press-key.ts`). */
  shortcut?: string
  /** The same key, if it is shown. */
  keys?: string | undefined
  /** Draws a separator above the item. */
  apart?: boolean
  /** Why it cannot be chosen now. It stays reachable, and shows the reason below its label. */
  unavailable?: string | undefined
}

interface MenuPanelProps {
  id?: string
  panel: RefObject<HTMLDivElement | null>
  /** The element that it is placed beside. */
  anchor: RefObject<Element | null>
  /** The name of the menu. */
  label: string
  items: readonly MenuItem[]
  /** Shown above the items and not selectable. */
  heading?: ReactNode
  onToggle?: (isOpen: boolean) => void
}

/**
 * The list of actions of a menu, a native popover: top layer, light dismiss and focus return are built in.
 * Arrow keys, Home, End and first letters move; Tab closes.
 */
export function MenuPanel(props: MenuPanelProps) {
  const { id, panel, anchor, label, items, heading, onToggle } = props
  const [open, setOpen] = useState(false)

  // In the same commit as the open state, so that no scroll event is missed.
  useLayoutEffect(() => {
    if (!open || !anchor.current || !panel.current) return undefined
    // The button may have moved since.
    positionPopover(anchor.current, panel.current)
    const anchorPosition = () => {
      const { left, top } = anchor.current?.getBoundingClientRect() ?? {}
      return `${left} ${top}`
    }
    const opened = anchorPosition()
    // Close when the anchor moved; ignore unrelated scrolling.
    const close = () => panel.current?.hidePopover()
    const closeWhenMoved = () => {
      if (anchorPosition() !== opened) close()
    }
    window.addEventListener('scroll', closeWhenMoved, { capture: true, passive: true })
    window.addEventListener('resize', close)
    return () => {
      window.removeEventListener('scroll', closeWhenMoved, { capture: true })
      window.removeEventListener('resize', close)
    }
  }, [open, anchor, panel])

  function move(event: KeyboardEvent) {
    const all = [...(panel.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const at = all.findIndex((item) => item === document.activeElement)
    const own = items.find(({ keys }) => keys?.toLowerCase() === shortcutLetter(event))
    const to = target(event.key, at, all)
    if (own) {
      event.preventDefault()
      choose(own)
    } else if (to !== undefined) {
      event.preventDefault()
      to.focus()
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      // Escape closes only this menu, not a dialog around it.
      if (event.key === 'Escape') event.preventDefault()
      panel.current?.hidePopover()
    }
    // Held on the button of the menu.
    if (event.key === 'Enter' && event.repeat) event.preventDefault()
  }

  function choose(item: MenuItem) {
    if (item.unavailable !== undefined) return
    // Close first, so that the focus is back on the button when a dialog takes it over.
    panel.current?.hidePopover()
    item.onSelect()
  }

  return (
    <div
      ref={panel}
      id={id}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={move}
      onBeforeToggle={(event) => {
        if (event.newState === 'open' && anchor.current && panel.current)
          positionPopover(anchor.current, panel.current)
      }}
      onToggle={(event) => {
        const isOpen = event.newState === 'open'
        setOpen(isOpen)
        onToggle?.(isOpen)
        if (isOpen) panel.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
      }}
      className="m-0 min-w-52 animate-fade overflow-y-auto overscroll-contain rounded-lg bg-raised p-1.5 text-sm text-ink shadow-float forced-colors:border"
    >
      {heading && <div className="border-b border-line px-2.5 pt-1.5 pb-2.5 mb-1.5">{heading}</div>}
      {items.map((item) => (
        <Fragment key={item.id ?? item.label}>
          {item.apart && <hr className="my-1.5 border-line" />}
          <Item item={item} onChoose={() => choose(item)} />
        </Fragment>
      ))}
    </div>
  )
}

interface MenuAtProps {
  /** The element that it is placed beside, and that has the focus afterwards. */
  anchor: HTMLElement
  label: string
  items: readonly MenuItem[]
  onClose: () => void
}

/** A menu that is open while it is rendered. */
export function MenuAt({ anchor, label, items, onClose }: MenuAtProps) {
  const panel = useRef<HTMLDivElement>(null)
  const at = useRef<Element>(anchor)
  useEffect(() => {
    // The focus returns to what had it.
    anchor.focus({ preventScroll: true })
    panel.current?.showPopover()
  }, [anchor])
  return (
    <MenuPanel
      panel={panel}
      anchor={at}
      label={label}
      items={items}
      onToggle={(isOpen) => !isOpen && onClose()}
    />
  )
}

function Item({ item, onChoose }: { item: MenuItem; onChoose: () => void }) {
  const { icon: Icon, chosen, unavailable } = item
  const radio = chosen === undefined ? {} : { 'aria-checked': chosen }
  const ink = item.danger ? 'text-danger-ink' : 'text-ink'
  return (
    <button
      type="button"
      role={chosen === undefined ? 'menuitem' : 'menuitemradio'}
      {...radio}
      tabIndex={-1}
      data-key={item.shortcut}
      aria-keyshortcuts={item.keys}
      aria-disabled={unavailable === undefined ? undefined : true}
      onClick={onChoose}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      className={`flex min-h-9 w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-start outline-none focus:bg-sunken aria-disabled:text-ink-faint coarse:min-h-11 forced-colors:focus:outline-2 ${ink}`}
    >
      {Icon && <Icon aria-hidden className="size-4 shrink-0 opacity-75" />}
      <span className="min-w-0 grow">
        {item.label}
        {unavailable !== undefined && <span className="block text-xs">{unavailable}</span>}
      </span>
      <KeyHint keys={item.keys} />
      {chosen && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
    </button>
  )
}

function target(key: string, at: number, all: HTMLElement[]) {
  if (key === 'ArrowDown') return all[(at + 1) % all.length]
  if (key === 'ArrowUp') return all.at(at <= 0 ? -1 : at - 1)
  if (key === 'Home') return all[0]
  if (key === 'End') return all.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const letter = foldText(key)
  const ring = [...all.slice(at + 1), ...all.slice(0, at + 1)]
  return ring.find((item) => foldText(item.textContent.trim()).startsWith(letter))
}
