import type { ReactNode } from 'react'

export type Severity = 'secondary' | 'info' | 'warn' | 'success' | 'danger' | 'primary'
const COLOURS: Record<Severity, string> = {
  secondary: 'bg-secondary text-secondary-ink',
  info: 'bg-info text-info-ink',
  warn: 'bg-warn text-warn-ink',
  success: 'bg-success text-success-ink',
  danger: 'bg-danger text-danger-ink',
  primary: 'bg-primary text-primary-ink',
}
const DISC =
  'before:ms-0.5 before:me-2 before:mt-[calc(0.5lh-0.28125rem)] before:size-2.25 before:rounded-full before:border-[1.5px]'
const CUT =
  'before:me-1.5 before:mt-[calc(0.5lh-0.375rem)] before:size-3 before:bg-current forced-colors:before:bg-[CanvasText]'

/** Ring, half disc, bars, check mark, cross and diamond: drawn without elements, since lists have many of them. */
const SHAPES: Record<Severity, string> = {
  secondary: DISC,
  info: `${DISC} before:bg-[linear-gradient(90deg,transparent_50%,currentcolor_50%)]`,
  warn: 'before:ms-0.5 before:me-2 before:mt-[calc(0.5lh-0.25rem)] before:h-2 before:w-1.5 before:border-x-2',
  success: `${CUT} before:[clip-path:polygon(13%_57%,42%_86%,87%_31%,76%_22%,41%_64%,23%_47%)]`,
  danger: `${CUT} before:[clip-path:polygon(30%_20%,50%_40%,70%_20%,80%_30%,60%_50%,80%_70%,70%_80%,50%_60%,30%_80%,20%_70%,40%_50%,20%_30%)]`,
  primary:
    'before:ms-0.5 before:me-2 before:mt-[calc(0.5lh-0.25rem)] before:size-2 before:rotate-45 before:border-[1.5px]',
}

/** The shape's colour where the state has no background. */
const SHAPE_COLOURS: Record<Severity, string> = {
  secondary: 'before:text-ink-muted',
  info: 'before:text-info-ink',
  warn: 'before:text-warn-ink',
  success: 'before:text-success-ink',
  danger: 'before:text-danger-ink',
  primary: 'before:text-primary-ink',
}

interface TagProps {
  severity: Severity
  /** Without a background: where many stand close together. */
  isPlain?: boolean
  /** The label. Always present: colour and shape alone do not carry the meaning. */
  children: ReactNode
}

/** A state as a word, in lower case or not, with a shape and a colour. */
export function Tag({ severity, isPlain = false, children }: TagProps) {
  const look = isPlain
    ? `text-sm text-ink-muted ${SHAPE_COLOURS[severity]}`
    : `rounded-full border border-transparent py-px ps-2 pe-2.5 text-xs font-semibold ${COLOURS[severity]}`
  return (
    <span
      className={`inline-block h-fit w-fit whitespace-nowrap before:float-start first-letter:uppercase ${SHAPES[severity]} ${look}`}
    >
      {children}
    </span>
  )
}
