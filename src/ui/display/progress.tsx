import { progressMessages as messages } from './messages.ts'

export interface ProgressProps {
  /** What the progress belongs to; announced, not shown. */
  label: string
  /** Per cent, an integer from 0 to 100. */
  value: number
  /** Share of elapsed time in per cent: a tick on the bar, a dot on the ring. */
  expected?: number | undefined
  /**
   * `glow` if it is behind and needs attention, `muted` if it is paused or closed; `neutral` where many
   * stand below each other.
   */
  tone?: 'accent' | 'glow' | 'muted' | 'neutral'
}

const FILLS = { accent: 'bg-accent', glow: 'bg-glow', muted: 'bg-edge', neutral: 'bg-ink-muted' }

/** The attributes of what shows progress. */
export function reading({ label, value, expected }: ProgressProps) {
  return {
    role: 'progressbar',
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': value,
    'aria-valuetext':
      expected === undefined ? messages.percent(value) : messages.progressOf(value, expected),
  } as const
}

/**
 * A thin bar that fills its container; the caller shows the number. It does not move: lists reuse the elements of
 * their rows, and it would begin at another record's progress.
 */
export function ProgressBar(props: ProgressProps) {
  const { value, expected, tone = 'accent' } = props
  return (
    <div
      {...reading(props)}
      className="relative h-1.5 w-full min-w-12 rounded-full bg-line forced-colors:outline"
    >
      <div
        style={{ width: `${value}%` }}
        className={`h-full rounded-full forced-colors:bg-[Highlight] ${FILLS[tone]}`}
      />
      {expected !== undefined && expected > 0 && expected < 100 && (
        <div
          style={{ left: `${expected}%` }}
          className="absolute -inset-y-0.5 w-0.5 -translate-x-1/2 rounded-full bg-ink ring-2 ring-surface forced-colors:bg-[CanvasText]"
        />
      )}
    </div>
  )
}
