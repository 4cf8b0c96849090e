import type { ReactNode } from 'react'
import { Tag, type Severity } from '../../ui/display/tag.tsx'
import { statusMessages as messages } from './messages.ts'

const STATUS_COLOURS = new Map<string, Severity>([
  ['planned', 'secondary'],
  ['in-progress', 'info'],
  ['paused', 'warn'],
  ['completed', 'success'],
  ['cancelled', 'danger'],
])
/** Circle, diamond and square: distinguishable without colour. */
const HEALTH_LOOKS = new Map([
  ['on-track', 'rounded-full bg-accent'],
  ['at-risk', 'rotate-45 bg-glow'],
  ['off-track', 'bg-danger-strong'],
])

/** The hues of the tags, in a chart where each bar has a label. */
const STATUS_FILLS = new Map([
  ['planned', 'bg-edge/60'],
  ['in-progress', 'bg-info-ink'],
  ['paused', 'bg-warn-ink'],
  ['completed', 'bg-accent'],
  ['cancelled', 'bg-danger-strong'],
])
const HEALTH_FILLS = new Map([
  ['on-track', 'bg-accent'],
  ['at-risk', 'bg-glow'],
  ['off-track', 'bg-danger-strong'],
])

/** The class of a status's bar in a chart. */
export const statusFill = (status: string): string => STATUS_FILLS.get(status) ?? 'bg-ink-muted'
/** The class of a health's bar in a chart; grey if not rated. */
export const healthFill = (health: string): string => HEALTH_FILLS.get(health) ?? 'bg-edge/60'

interface StatusTagProps {
  status: string
  /** Without a background: for what belongs to a plan, whose own status stands out. */
  isPlain?: boolean
}

/** The status in the specification's colours; an unknown one is `primary`. */
export function StatusTag({ status, isPlain = false }: StatusTagProps) {
  return (
    <Tag severity={STATUS_COLOURS.get(status) ?? 'primary'} isPlain={isPlain}>
      <span className="inline-block first-letter:uppercase">{messages.status(status)}</span>
    </Tag>
  )
}

/** Health as a word with a small shape; less prominent than the status. */
export function HealthMark({ health }: { health: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-sm whitespace-nowrap text-ink-muted">
      <span
        aria-hidden
        className={`size-2 shrink-0 forced-colors:border ${HEALTH_LOOKS.get(health) ?? 'bg-edge'}`}
      />
      {messages.health(health)}
    </span>
  )
}

const MARK =
  'inline-flex items-center rounded-sm px-1.5 py-px text-xs font-semibold whitespace-nowrap'

/** The word for what needs attention, in the colour that means nothing else: late, at risk, not accepted. */
export function NeedsYou({ children }: { children: ReactNode }) {
  return <span className={`${MARK} bg-glow-soft text-glow-ink`}>{children}</span>
}

/** A word in grey: for information. */
export function Quiet({ children }: { children: ReactNode }) {
  return <span className={`${MARK} bg-offline text-offline-ink`}>{children}</span>
}
