import { LoaderCircle } from 'lucide-react'
import { useId, useRef, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import { positionPopover } from './overlay/position-popover.ts'

/** `primary` is for the one main action of a screen. */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'

const BASE =
  'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-md border text-sm font-semibold whitespace-nowrap select-none cramped:shrink cramped:whitespace-normal transition-colors duration-150 print:hidden [&_svg]:size-4 [&_svg]:shrink-0'
const TEXT = 'min-h-9 px-3.5 coarse:min-h-11 coarse:min-w-11'
const ICON = 'size-9 coarse:size-11'
const OFF =
  'aria-disabled:border-line aria-disabled:bg-sunken aria-disabled:text-ink-faint aria-disabled:shadow-none'
const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    'border-transparent bg-accent text-accent-ink shadow-control hover:bg-accent-strong active:bg-accent-strong',
  secondary:
    'border-edge/50 bg-raised text-ink shadow-control hover:border-edge hover:bg-surface active:bg-sunken',
  quiet:
    'border-transparent text-ink-muted hover:bg-sunken hover:text-ink aria-expanded:bg-sunken aria-expanded:text-ink',
  danger:
    'border-transparent bg-danger-strong text-danger-strong-ink shadow-control hover:bg-danger-strong/88',
}

/**
 * The classes of a button, for a link that looks like one: `<Link className={buttonClass('primary')}>`.
 */
export function buttonClass(variant: ButtonVariant = 'secondary') {
  return `${BASE} ${TEXT} ${VARIANTS[variant]}`
}

/** The classes of a square button with one icon. Its element needs an `aria-label`. */
function iconButtonClass(variant: ButtonVariant = 'quiet') {
  return `${BASE} ${ICON} ${VARIANTS[variant]}`
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  variant?: ButtonVariant
  /** Work is in progress: the button keeps its width and focus, and ignores presses. */
  busy?: boolean
  /** Why it cannot be pressed now. It stays focusable, and shows the reason on focus, hover or tap. */
  unavailable?: string | undefined
  /** Contains only an icon; needs an `aria-label`. */
  icon?: boolean
}

/** A button. Its type defaults to `button`, so that it never submits a form by accident. */
export function Button(props: ButtonProps) {
  const { variant, busy = false, unavailable, icon = false, className = '', ...rest } = props
  const { children, onClick, type = 'button', ...native } = rest
  const reason = useReason(unavailable)
  const off = busy || unavailable !== undefined
  const variantClass = icon ? iconButtonClass(variant) : buttonClass(variant)

  function press(event: MouseEvent<HTMLButtonElement>) {
    if (off) event.preventDefault()
    else onClick?.(event)
  }

  return (
    <>
      <button
        {...native}
        {...reason.anchor}
        type={type}
        onClick={press}
        aria-disabled={off || undefined}
        aria-busy={busy || undefined}
        className={`${variantClass} ${unavailable === undefined ? '' : OFF} ${className}`}
      >
        <span className={busy ? 'contents *:opacity-0' : 'contents'}>
          {busy ? <span className="inline-flex items-center gap-2">{children}</span> : children}
        </span>
        {busy && <LoaderCircle aria-hidden className="absolute animate-spin" />}
      </button>
      {reason.panel}
    </>
  )
}

/**
 * A popover beside the button that shows why it is unavailable. In the top layer, so nothing clips it.
 */
function useReason(text: string | undefined): {
  anchor: Partial<ComponentProps<'button'>>
  panel: ReactNode
} {
  const id = useId()
  const panel = useRef<HTMLSpanElement>(null)
  if (text === undefined) return { anchor: {}, panel: null }

  function show(event: { currentTarget: Element }) {
    if (panel.current === null || panel.current.matches(':popover-open')) return
    positionPopover(event.currentTarget, panel.current)
    // Without popover support the reason is still announced, as the button's description.
    panel.current.showPopover?.()
  }
  function hide() {
    if (panel.current?.matches(':popover-open')) panel.current.hidePopover()
  }
  return {
    anchor: {
      'aria-describedby': id,
      onFocus: show,
      onPointerEnter: show,
      onBlur: hide,
      onPointerLeave: hide,
      onKeyDown: (event) => event.key === 'Escape' && hide(),
    },
    panel: (
      <span
        ref={panel}
        id={id}
        role="tooltip"
        popover="manual"
        className="pointer-events-none m-0 w-max rounded-md bg-ink px-3 py-2 text-sm text-surface shadow-float"
      >
        {text}
      </span>
    ),
  }
}
