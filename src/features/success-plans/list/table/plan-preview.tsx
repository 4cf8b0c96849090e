import { Maximize2 } from 'lucide-react'
import { Link } from 'react-router'
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import { useRecordKeys } from '../../../../data/record-id.ts'
import { buttonClass } from '../../../../ui/button.tsx'
import { PreviewPane } from '../../../../ui/list/preview-pane.tsx'
import { HealthMark, StatusTag } from '../../../../widgets/status/tags.tsx'
import { PlanFacts } from '../../detail/plan-facts.tsx'
import { StatusChange } from '../../detail/status-change.tsx'
import { PlanMarks } from '../../plan-marks.tsx'
import { PlanProgressBar } from '../../plan-progress-bar.tsx'
import { UpdateFeed } from '../../updates/update-feed.tsx'
import { useNames } from '../../use-names.ts'
import { planMessages } from '../../messages.ts'
import { planScreenMessages } from '../../plan-messages.ts'
import { previewMessages as messages } from './messages.ts'
import { planPath } from '../../../../ui/platform/record-path.ts'

interface PlanPreviewProps {
  plan: SuccessPlan
  today: string
  now: number
  onClose: () => void
}

/** A plan beside the list: its state, its updates, and what was agreed. */
export function PlanPreview({ plan, today, now, onClose }: PlanPreviewProps) {
  const account = useNames()('accounts', plan.account_id)
  const { id } = plan
  const key = useRecordKeys('success_plans')(id)
  return (
    <PreviewPane
      // With a scroll position of its own.
      key={key}
      id={id}
      label={messages.preview(plan.title)}
      onClose={onClose}
      controls={
        <>
          <div className="me-auto -ms-1">
            <StatusChange plan={plan} />
          </div>
          <Link to={planPath(id)} className={`${buttonClass('quiet')} px-2.5!`}>
            <Maximize2 aria-hidden />
            {messages.openPlan}
          </Link>
        </>
      }
    >
      <h2 dir="auto" className="mt-3 text-lg text-pretty">
        {plan.title}
      </h2>
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-muted">
        <StatusTag status={plan.status} />
        {plan.health && <HealthMark health={plan.health} />}
        {account !== undefined && <span>{account}</span>}
        {plan.end_date && (
          <time dateTime={plan.end_date} className="tabular-nums">
            {planMessages.ends(plan.end_date)}
          </time>
        )}
        <PlanMarks plan={plan} today={today} now={now} pending={undefined} />
      </p>
      <div className="mt-4 mb-5 flex items-center gap-3">
        <PlanProgressBar plan={plan} today={today} />
      </div>
      <UpdateFeed plan={plan} />
      <section aria-label={planScreenMessages.facts} className="mt-8 border-t border-line pt-6">
        <PlanFacts plan={plan} today={today} />
      </section>
    </PreviewPane>
  )
}
