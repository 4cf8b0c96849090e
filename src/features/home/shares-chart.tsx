import { useId } from 'react'
import { Link } from 'react-router'
import type { Share } from './needs.ts'
import { homeMessages as messages } from './messages.ts'

interface SharesChartProps {
  title: string
  shares: readonly Share[]
  /** The label of a status or health value. */
  labelOf: (key: string) => string
  /** The class of its bar. */
  fillOf: (key: string) => string
}

/**
 * The distribution of plans as bars. Each is a link to those plans in the list, with its number as
 * text.
 */
export function SharesChart({ title, shares, labelOf, fillOf }: SharesChartProps) {
  const id = useId()
  const most = Math.max(1, ...shares.map(({ count }) => count))
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-sm font-semibold">
        {title}
      </h2>
      <ul className="mt-1.5 -mx-2">
        {shares.map(({ key, count, search }) => (
          <li key={key}>
            <Link
              to={`/success-plans?${search}`}
              className="grid min-h-8 grid-cols-[minmax(0,6.5rem)_minmax(0,1fr)_2.5rem] items-center gap-x-3 rounded-md px-2 text-sm hover:bg-sunken coarse:min-h-11"
            >
              <span className="truncate text-ink-muted">{labelOf(key)}</span>
              <span
                style={{ width: `${(100 * count) / most}%` }}
                className={`h-2.5 min-w-1 rounded-full forced-colors:bg-[CanvasText] ${fillOf(key)}`}
              />
              <span className="text-end tabular-nums">
                {messages.number(count)}
                <span className="sr-only"> {messages.plans(count)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
