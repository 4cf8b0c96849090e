import { useId, useRef, useState, type ReactNode } from 'react'
import { MenuPanel, type MenuItem } from './menu-panel.tsx'

interface MenuProps {
  /** The name of the button and the menu. It must include the button's visible text. */
  label: string
  /** The content of the button. */
  children: ReactNode
  items: readonly MenuItem[]
  /** Shown above the items and not selectable: the signed-in user, the name of the list. */
  heading?: ReactNode
  /** Classes of the button, for example `buttonClass(…)`. */
  className: string
}

/** A button that opens a list of actions. */
export function Menu({ label, children, items, heading, className }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        className={className}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || open) return
          event.preventDefault()
          panel.current?.showPopover()
        }}
      >
        {children}
      </button>
      <MenuPanel
        id={id}
        panel={panel}
        anchor={button}
        label={label}
        items={items}
        heading={heading}
        onToggle={setOpen}
      />
    </>
  )
}
