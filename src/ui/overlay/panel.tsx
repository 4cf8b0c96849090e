import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { positionPopover } from './position-popover.ts'

interface PanelProps {
  /** The name of the button and the panel. It must include the button's visible text. */
  label: string
  /** The content of the button. */
  button: ReactNode
  /** Classes of the button, for example `buttonClass(…)`. */
  className: string
  /** Controls; rendered while the panel is open. */
  children: ReactNode
}

/**
 * A button that opens controls beside it, built on native popovers: top layer, light dismiss and focus
 * return are built in, and Tab goes from the button into the panel.
 */
export function Panel({ label, button, className, children }: PanelProps) {
  const id = useId()
  const anchor = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLFieldSetElement>(null)
  const [open, setOpen] = useState(false)

  useEffect(() => {
    if (!open) return undefined
    const [button, shown] = [anchor.current, panel.current]
    const follow = ({ type }: Event) => {
      const focused = document.activeElement
      // An on-screen keyboard makes the window smaller while one types in the panel.
      if (!button || !shown?.contains(focused)) shown?.hidePopover()
      else {
        positionPopover(button, shown)
        if (type === 'resize') focused?.scrollIntoView({ block: 'nearest' })
      }
    }
    window.addEventListener('scroll', follow, { passive: true })
    window.addEventListener('resize', follow)
    return () => {
      window.removeEventListener('scroll', follow)
      window.removeEventListener('resize', follow)
    }
  }, [open])

  return (
    <>
      <button
        ref={anchor}
        type="button"
        popoverTarget={id}
        aria-label={label}
        aria-expanded={open}
        className={className}
      >
        {button}
      </button>
      <fieldset
        ref={panel}
        id={id}
        popover="auto"
        aria-label={label}
        // For the focus, when the control that has it disappears.
        tabIndex={-1}
        onBeforeToggle={(event) => {
          if (event.newState === 'open' && anchor.current && panel.current)
            positionPopover(anchor.current, panel.current)
        }}
        onToggle={(event) => setOpen(event.newState === 'open')}
        className="m-0 w-80 animate-fade overflow-y-auto overscroll-contain rounded-lg bg-raised p-4 text-sm text-ink shadow-float forced-colors:border"
      >
        {open && children}
      </fieldset>
    </>
  )
}
