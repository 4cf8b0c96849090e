// A hand-written line chart: two percentage axes do not justify a library.

/** A value at a time. */
export interface ChartPoint {
  /** Epoch milliseconds. */
  at: number
  /** Per cent, 0 to 100. */
  value: number
}

export interface LineChartProps {
  /** Name of the chart; also the caption of its table. */
  label: string
  /** Data points sorted by time; at least one. */
  points: readonly ChartPoint[]
  /** A dashed line from 0 to 100 % between these times. */
  even?: { from: number; to: number } | undefined
  /** A vertical line at this time, if it is within the range. */
  now?: number | undefined
  labels: {
    time: string
    value: string
    even: string
    moment: (at: number) => string
    percent: (value: number) => string
  }
}

/** With more points, dots would only look like a thicker line. */
const MAX_DOTS = 30
/** Per cent with a line and a label at the side. */
export const GRID = [0, 50, 100]

const share = (at: number, from: number, to: number) =>
  to === from ? 0 : Math.min(100, Math.max(0, (100 * (at - from)) / (to - from)))

/** Where the lines are, in per cent of the width and height; y counts from the top. */
export function chartLines({ points, even, now }: Pick<LineChartProps, 'points' | 'even' | 'now'>) {
  const times = [...points.map(({ at }) => at), ...(even ? [even.from, even.to] : [])]
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const x = (at: number) => share(at, from, to)
  const line = points.map(({ at, value }) => `${x(at)},${100 - value}`).join(' ')
  const ends = `${x(points.at(-1)?.at ?? from)},100 ${x(points[0]?.at ?? from)},100`
  const isNowShown = now !== undefined && now > from && now < to
  return { from, to, x, line, area: `${line} ${ends}`, now: isNowShown ? x(now) : undefined }
}

/**
 * A line chart with an even pace as a dashed line. It fills its container; screen readers get a table.
 * The SVG is stretched, so text and dots are placed as HTML on top of it.
 */
export function LineChart({ label, labels, ...shown }: LineChartProps) {
  const { points, even } = shown
  const { from, to, x, line, area, now } = chartLines(shown)
  return (
    <figure>
      <div aria-hidden className="relative ms-9 h-32">
        {GRID.map((value) => (
          <div
            key={value}
            style={{ bottom: `${value}%` }}
            className="absolute inset-x-0 border-t border-line"
          >
            <span className="absolute end-full -translate-y-1/2 pe-2 text-xs text-ink-faint tabular-nums">
              {labels.percent(value)}
            </span>
          </div>
        ))}
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible fill-none [&_*]:[vector-effect:non-scaling-stroke]"
        >
          {points.length > 1 && <polygon points={area} className="fill-accent-soft/70" />}
          {even && (
            <line
              x1={x(even.from)}
              y1="100"
              x2={x(even.to)}
              y2="0"
              strokeWidth="1.5"
              strokeDasharray="4 4"
              className="stroke-edge forced-colors:stroke-[GrayText]"
            />
          )}
          {now !== undefined && (
            <line x1={now} y1="0" x2={now} y2="100" strokeWidth="1" className="stroke-edge" />
          )}
          <polyline
            points={line}
            strokeWidth="2.5"
            strokeLinejoin="round"
            strokeLinecap="round"
            className="stroke-accent forced-colors:stroke-[Highlight]"
          />
        </svg>
        {points.slice(-MAX_DOTS).map(({ at, value }, index, all) => (
          <span
            // Two updates may have the same time.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            style={{ left: `${x(at)}%`, bottom: `${value}%` }}
            className={`absolute -translate-x-1/2 translate-y-1/2 rounded-full bg-accent ring-2 ring-surface forced-colors:bg-[Highlight] ${index === all.length - 1 ? 'size-2.5' : 'size-1.5'}`}
          />
        ))}
      </div>
      <div
        aria-hidden
        className="ms-9 mt-2 flex justify-between gap-2 text-xs text-ink-faint tabular-nums"
      >
        <span>{labels.moment(from)}</span>
        {to > from && <span>{labels.moment(to)}</span>}
      </div>
      <div aria-hidden className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
        <span className="flex items-center gap-1.5">
          <span className="w-4 border-t-2 border-accent" />
          {labels.value}
        </span>
        {even && (
          <span className="flex items-center gap-1.5">
            <span className="w-4 border-t-2 border-dashed border-edge" />
            {labels.even}
          </span>
        )}
      </div>
      {/* Only a wrapper can be hidden visually: a table keeps its width. */}
      <div className="sr-only">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{labels.time}</th>
              <th scope="col">{labels.value}</th>
              {even && <th scope="col">{labels.even}</th>}
            </tr>
          </thead>
          <tbody>
            {points.map(({ at, value }, index) => (
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index}>
                <th scope="row">{labels.moment(at)}</th>
                <td>{labels.percent(value)}</td>
                {even && <td>{labels.percent(Math.round(share(at, even.from, even.to)))}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
