import { isPlanOpen } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import type { TimelineEntry } from '../../../data/success-plans/updates-of-plans.ts'
import { healthFill, HealthMark } from '../../../widgets/status/tags.tsx'
import { statusMessages } from '../../../widgets/status/messages.ts'
import { healthHistory, type HealthPeriod } from './health-history.ts'
import { accountPageMessages as messages } from '../messages.ts'

const SHOWN_DAYS = 182
const DAY_MS = 86_400_000

interface HealthChartProps {
  plans: readonly SuccessPlan[]
  entries: readonly TimelineEntry[]
  now: number
}

/** The health of each open plan over the last half year, as a bar; screen readers get sentences. */
export function HealthChart({ plans, entries, now }: HealthChartProps) {
  const from = now - SHOWN_DAYS * DAY_MS
  const byPlan = Map.groupBy(entries, ({ plan }) => plan.id)
  const rows = plans.filter(isPlanOpen).map((plan) => {
    const updates = (byPlan.get(plan.id) ?? []).map(({ update }) => update)
    return { plan, periods: healthHistory(plan, updates, from, now) }
  })
  const rated = rows.filter(({ periods }) => periods.some(({ health }) => health !== null))
  if (rated.length === 0) return null
  return (
    <section>
      <h2 className="text-sm font-semibold">{messages.healthTitle}</h2>
      <ul className="mt-2 flex flex-col gap-3">
        {rated.map(({ plan, periods }) => (
          <li key={plan.id} className="text-sm">
            <span className="flex items-baseline justify-between gap-3">
              <span className="min-w-0 truncate text-ink-muted">{plan.title}</span>
              {plan.health && <HealthMark health={plan.health} />}
            </span>
            <span
              aria-hidden
              title={periods.map(sentenceOf).join(', ')}
              className="mt-1 flex h-2 gap-1 overflow-hidden rounded-full"
            >
              {periods.map((period) => (
                <span
                  key={period.from}
                  style={{ flexGrow: period.to - period.from }}
                  className={`forced-colors:border ${healthFill(period.health ?? '')}`}
                />
              ))}
            </span>
            <span className="sr-only">{periods.map(sentenceOf).join(', ')}</span>
          </li>
        ))}
      </ul>
      <p aria-hidden className="mt-1.5 flex justify-between text-xs text-ink-faint">
        <span>{messages.instant(from)}</span>
        <span>{messages.now}</span>
      </p>
    </section>
  )
}

const sentenceOf = ({ health, from }: HealthPeriod) =>
  messages.healthSince(health === null ? messages.notRated : statusMessages.health(health), from)
