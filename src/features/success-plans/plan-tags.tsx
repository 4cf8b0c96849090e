import type { ReactNode } from 'react'
import type { SuccessPlan } from '../../../contract/success-plans.ts'
import { isOverdue, isStale } from '../../../contract/rules.ts'
import { Tag, type Severity } from '../../ui/tag.tsx'
import { planWords } from './words.ts'

const STATUS_COLOURS = new Map<string, Severity>([
  ['planned', 'secondary'],
  ['in-progress', 'info'],
  ['paused', 'warn'],
  ['completed', 'success'],
  ['cancelled', 'danger'],
])
/** A round, a turned and a plain square: told apart without the colour. */
const HEALTH_LOOKS = new Map([
  ['on-track', 'rounded-full bg-accent'],
  ['at-risk', 'rotate-45 bg-glow'],
  ['off-track', 'bg-danger-strong'],
])

/** The status as the specification maps it; an unknown one is `primary`. */
export function StatusTag({ status }: { status: string }) {
  return (
    <Tag severity={STATUS_COLOURS.get(status) ?? 'primary'}>
      <span className="inline-block first-letter:uppercase">{planWords.status(status)}</span>
    </Tag>
  )
}

/** Health as a word with a small shape; quieter than the status. */
export function HealthMark({ health }: { health: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-sm whitespace-nowrap text-ink-muted">
      <span
        aria-hidden
        className={`size-2 shrink-0 forced-colors:border ${HEALTH_LOOKS.get(health) ?? 'bg-edge'}`}
      />
      {planWords.health(health)}
    </span>
  )
}

const MARK =
  'inline-flex items-center rounded-sm px-1.5 py-px text-xs font-semibold whitespace-nowrap'

/** A word in the warm colour: somebody should look. */
export function NeedsYou({ children }: { children: ReactNode }) {
  return <span className={`${MARK} bg-glow-soft text-glow-ink`}>{children}</span>
}

/** A word in grey: good to know. */
export function Quiet({ children }: { children: ReactNode }) {
  return <span className={`${MARK} bg-offline text-offline-ink`}>{children}</span>
}

interface PlanMarksProps {
  plan: SuccessPlan
  today: string
  now: number
  waiting: 'waiting' | 'attention' | undefined
}

/** What about a plan needs somebody, or is on its way; nothing when all is well. */
export function PlanMarks({ plan, today, now, waiting }: PlanMarksProps) {
  return (
    <>
      {waiting === 'attention' && <NeedsYou>{planWords.attention}</NeedsYou>}
      {isOverdue(plan, today) && <NeedsYou>{planWords.overdue}</NeedsYou>}
      {isStale(plan, now) && <Quiet>{planWords.stale}</Quiet>}
      {waiting === 'waiting' && <Quiet>{planWords.waiting}</Quiet>}
    </>
  )
}
