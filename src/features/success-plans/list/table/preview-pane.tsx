import { Maximize2, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import { Button, buttonClass } from '../../../../ui/button.tsx'
import { HealthMark, StatusTag } from '../../../../widgets/status/tags.tsx'
import { PlanFacts } from '../../detail/plan-facts.tsx'
import { StatusChange } from '../../detail/status-change.tsx'
import { PlanMarks } from '../../plan-marks.tsx'
import { PlanProgressBar } from '../../plan-progress-bar.tsx'
import { UpdateFeed } from '../../updates/update-feed.tsx'
import { useNames } from '../../use-names.ts'
import { planMessages } from '../../messages.ts'
import { toolMessages as messages } from './messages.ts'

interface PreviewPaneProps {
  plan: SuccessPlan
  today: string
  now: number
  onClose: () => void
}

/** A plan beside the list: how it stands, its updates, and what was agreed. Escape closes it. */
export function PreviewPane({ plan, today, now, onClose }: PreviewPaneProps) {
  const pane = useRef<HTMLElement>(null)
  const account = useNames()('accounts', plan.account_id)
  const { id } = plan

  useEffect(() => {
    const element = pane.current
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      close()
    }
    const close = () => {
      onClose()
      focusRow(id)
    }
    element?.addEventListener('keydown', closeOnEscape)
    return () => element?.removeEventListener('keydown', closeOnEscape)
  }, [id, onClose])

  return (
    <aside
      ref={pane}
      aria-label={messages.preview(plan.title)}
      className="sticky top-[calc(4.5rem+var(--safe-top))] max-h-[calc(100dvh-5.5rem-var(--safe-top))] overflow-y-auto overscroll-contain rounded-lg border border-line bg-raised px-5 pt-3 pb-6"
    >
      <div className="flex items-center gap-1">
        <div className="me-auto -ms-1">
          <StatusChange plan={plan} />
        </div>
        <Link to={`/success-plans/${id}`} className={`${buttonClass('quiet')} px-2.5!`}>
          <Maximize2 aria-hidden />
          {messages.openPlan}
        </Link>
        <Button
          icon
          variant="quiet"
          aria-label={messages.closePreview}
          onClick={() => {
            onClose()
            focusRow(id)
          }}
        >
          <X aria-hidden />
        </Button>
      </div>
      <h2 className="mt-3 text-lg text-pretty">{plan.title}</h2>
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
      <UpdateFeed key={id} plan={plan} />
      <section aria-label={planMessages.facts} className="mt-8 border-t border-line pt-6">
        <PlanFacts key={id} plan={plan} today={today} />
      </section>
    </aside>
  )
}

/** Gives the focus back to the row of the list. */
const focusRow = (id: string) =>
  document.querySelector<HTMLElement>(`[data-plan="${CSS.escape(id)}"]`)?.focus()
