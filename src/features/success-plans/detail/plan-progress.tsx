import { useMemo } from 'react'
import { isPlanOpen } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { LineChart } from '../../../ui/display/chart.tsx'
import { useActions } from '../../../data/actions.ts'
import { useNow } from '../../../data/organisations/use-today.ts'
import { evenPace, progressHistory } from './progress-history.ts'
import { usePlanUpdates } from '../../../data/success-plans/queries.ts'
import { chartMessages as messages } from '../plan-messages.ts'

/** A plan's progress over time, beside the share of elapsed time. */
export function PlanProgress({ plan }: { plan: SuccessPlan }) {
  const { feed } = usePlanUpdates(plan.id)
  const { actions } = useActions()
  const now = useNow()
  const points = useMemo(() => {
    const updates = feed?.map(({ update }) => update) ?? []
    const own = actions?.filter(({ success_plan_id }) => success_plan_id === plan.id) ?? []
    return progressHistory(plan, updates, own, now)
  }, [plan, feed, actions, now])
  return (
    <section>
      <h2 className="mb-4 text-sm font-semibold text-ink">{messages.title}</h2>
      <LineChart
        label={messages.label(plan.title)}
        points={points}
        even={evenPace(plan)}
        now={isPlanOpen(plan) ? now : undefined}
        labels={messages}
      />
    </section>
  )
}
