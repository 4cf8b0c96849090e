import { lazy, Suspense } from 'react'
import { isBehind, isOverdue, isPlanOpen, elapsedPercent } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { ProgressRing } from '../../../ui/display/progress-ring.tsx'
import { usePeople } from '../../../data/organisations/use-people.ts'
import { progressTone } from '../progress-tone.ts'
import { planMessages as messages } from '../messages.ts'
import { planScreenMessages } from '../plan-messages.ts'

const PlanProgress = lazy(async () => ({
  default: (await import('./plan-progress.tsx')).PlanProgress,
}))

interface PlanFactsProps {
  plan: SuccessPlan
  today: string
  /** Leaves out what the team measures itself by: whether it is late, and its cadence. */
  withoutRating?: boolean
  /** Below a header that shows the progress: on a narrow screen the facts come first. */
  belowProgress?: boolean
}

/** Progress next to elapsed time, and what was agreed. */
export function PlanFacts({
  plan,
  today,
  withoutRating = false,
  belowProgress = false,
}: PlanFactsProps) {
  const order = belowProgress ? 'max-lg:order-1' : ''
  const owner = usePeople()?.get(plan.owner_id ?? '')
  const elapsed = elapsedPercent(plan, today)
  const isLate = !withoutRating && isOverdue(plan, today)
  const behind = !withoutRating && isBehind(plan, today)
  const facts: [string, string | undefined][] = [
    [messages.owner, owner?.name],
    [
      planScreenMessages.starts,
      plan.start_date ? planScreenMessages.day(plan.start_date) : undefined,
    ],
    [
      planScreenMessages.endsLabel,
      plan.end_date ? planScreenMessages.day(plan.end_date) : undefined,
    ],
    [planScreenMessages.type, planScreenMessages.typeOf(plan.type)],
    [
      planScreenMessages.cadence,
      plan.update_cadence_days === null || withoutRating
        ? undefined
        : planScreenMessages.cadenceDays(plan.update_cadence_days),
    ],
    [
      planScreenMessages.outcome,
      plan.outcome === null ? undefined : planScreenMessages.outcomeOf(plan.outcome),
    ],
  ]
  return (
    <div className="flex flex-col gap-7">
      <div className={`flex items-center gap-5 cramped:flex-wrap ${order}`}>
        <ProgressRing
          label={messages.progressOf(plan.title)}
          value={plan.progress}
          expected={isPlanOpen(plan) ? elapsed : undefined}
          tone={withoutRating ? 'accent' : progressTone(plan, today)}
        />
        <p className="text-sm text-ink-muted">
          <span className="block font-semibold text-ink">
            {isLate ? messages.overdue : behind ? messages.behind : planScreenMessages.progress}
          </span>
          {elapsed !== undefined && isPlanOpen(plan) && planScreenMessages.timeElapsed(elapsed)}
        </p>
      </div>
      {/* Reserves the height of the chart. */}
      <div className={`min-h-55 ${order}`}>
        <Suspense>
          <PlanProgress plan={plan} />
        </Suspense>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name} className="contents">
                <dt className="text-ink-muted">{name}</dt>
                <dd className="text-ink tabular-nums">{value}</dd>
              </div>
            ),
        )}
      </dl>
      <TextSection title={planScreenMessages.description} text={plan.description} />
      <TextSection title={planScreenMessages.criteria} text={plan.success_criteria} />
    </div>
  )
}

function TextSection({ title, text }: { title: string; text: string | null }) {
  if (!text) return null
  return (
    <section>
      <h2 className="text-sm font-semibold text-ink">{title}</h2>
      <p dir="auto" className="mt-1 text-sm leading-6 whitespace-pre-wrap text-ink-muted">
        {text}
      </p>
    </section>
  )
}
