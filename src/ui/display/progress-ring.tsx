import { reading, type ProgressProps } from './progress.tsx'

const STROKES = {
  accent: 'stroke-accent',
  glow: 'stroke-glow',
  muted: 'stroke-edge',
  neutral: 'stroke-ink-muted',
}

const RADIUS = 42
const ROUND = 2 * Math.PI * RADIUS

/** A ring with the number inside. `className` sets its size. */
export function ProgressRing(props: ProgressProps & { className?: string }) {
  const { value, expected, tone = 'accent', className = 'size-24' } = props
  return (
    <div {...reading(props)} className={`relative grid shrink-0 place-items-center ${className}`}>
      <svg aria-hidden viewBox="0 0 100 100" className="absolute inset-0 -rotate-90 fill-none">
        <circle cx="50" cy="50" r={RADIUS} strokeWidth="7" className="stroke-line" />
        {value > 0 && (
          <circle
            cx="50"
            cy="50"
            r={RADIUS}
            strokeWidth="7"
            strokeLinecap="round"
            strokeDasharray={`${(value / 100) * ROUND} ${ROUND}`}
            className={`transition-[stroke-dasharray] duration-500 ease-settle forced-colors:stroke-[Highlight] ${STROKES[tone]}`}
          />
        )}
        {expected !== undefined && expected > 0 && expected < 100 && (
          <circle
            cx={50 + RADIUS * Math.cos((expected / 50) * Math.PI)}
            cy={50 + RADIUS * Math.sin((expected / 50) * Math.PI)}
            r="4"
            strokeWidth="2.5"
            className="fill-ink stroke-surface"
          />
        )}
      </svg>
      <span aria-hidden className="text-xl font-semibold tabular-nums">
        {value}
        <span className="text-sm font-medium text-ink-muted">%</span>
      </span>
    </div>
  )
}
