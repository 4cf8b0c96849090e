import type { ReactNode } from 'react'

export type Severity = 'secondary' | 'info' | 'warn' | 'success' | 'danger' | 'primary'
type TagShape = 'ring' | 'half' | 'dot' | 'bars' | 'check' | 'cross' | 'triangle' | 'diamond'

const COLOURS: Record<Severity, string> = {
  secondary: 'bg-secondary text-secondary-ink',
  info: 'bg-info text-info-ink',
  warn: 'bg-warn text-warn-ink',
  success: 'bg-success text-success-ink',
  danger: 'bg-danger text-danger-ink',
  primary: 'bg-primary text-primary-ink',
}
const SHAPES: Record<Severity, TagShape> = {
  secondary: 'ring',
  info: 'half',
  warn: 'bars',
  success: 'check',
  danger: 'cross',
  primary: 'diamond',
}
const DRAWINGS: Record<TagShape, ReactNode> = {
  ring: <circle cx="6" cy="6" r="3.75" />,
  half: (
    <>
      <circle cx="6" cy="6" r="3.75" />
      <path d="M6 2.25a3.75 3.75 0 0 1 0 7.5Z" fill="currentColor" />
    </>
  ),
  dot: <circle cx="6" cy="6" r="3.5" fill="currentColor" />,
  bars: <path d="M4 3v6M8 3v6" strokeWidth="2" />,
  check: <path d="m2.5 6.5 2.5 2.5 4.5-5.5" strokeWidth="1.75" />,
  cross: <path d="m3 3 6 6m0-6L3 9" strokeWidth="1.75" />,
  triangle: <path d="M6 2.25 10 9.5H2Z" fill="currentColor" />,
  diamond: <path d="M6 2 10 6 6 10 2 6Z" fill="currentColor" />,
}

/** The shape's colour where the state has no background. */
const SHAPE_COLOURS: Record<Severity, string> = {
  secondary: 'text-ink-muted',
  info: 'text-info-ink',
  warn: 'text-warn-ink',
  success: 'text-success-ink',
  danger: 'text-danger-ink',
  primary: 'text-primary-ink',
}

interface TagProps {
  severity: Severity
  /** Without a background: where many are close together. */
  isPlain?: boolean
  /** A shape other than the severity's own, where one severity has two meanings. */
  shape?: TagShape
  /** The label. Always present: colour and shape alone do not carry the meaning. */
  children: ReactNode
}

/** A state as a word with a shape and a colour. */
export function Tag({ severity, isPlain = false, shape = SHAPES[severity], children }: TagProps) {
  const look = isPlain
    ? 'text-sm text-ink-muted'
    : `rounded-full border border-transparent py-px ps-2 pe-2.5 text-xs font-semibold ${COLOURS[severity]}`
  return (
    <span
      className={`inline-flex h-fit w-fit items-center gap-1.5 whitespace-nowrap cramped:whitespace-normal ${look}`}
    >
      <svg
        aria-hidden
        viewBox="0 0 12 12"
        className={`size-3 shrink-0 ${isPlain ? SHAPE_COLOURS[severity] : ''}`}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {DRAWINGS[shape]}
      </svg>
      {children}
    </span>
  )
}
