import { memo } from 'react'
import { Link } from 'react-router'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { monthDay } from '../../../ui/text/dates.ts'
import type { SelectableRows } from '../../../ui/list/bulk/bulk-selection.tsx'
import { HealthMark, StatusTag } from '../../../widgets/status/tags.tsx'
import { PlanMarks } from '../plan-marks.tsx'
import { Behind, PlanBar } from '../plan-bar.tsx'
import { planMessages } from '../messages.ts'
import { planPath } from '../../../ui/platform/record-path.ts'

interface PlanRowProps {
  plan: SuccessPlan
  /** The account's name. */
  account: string | undefined
  today: string
  now: number
  pending: 'waiting' | 'attention' | undefined
  /** Undefined where rows are links. */
  rows: SelectableRows['selection'] | undefined
}

/** The height of a row, for the elements of a list that contain rows. */
export const PLAN_ROW_HEIGHT = 'h-27 *:h-full *:content-center'
const ROW = 'grid grid-cols-1 gap-y-1 border-b border-line px-3 py-1'
const LINE = 'flex items-baseline justify-between gap-x-4 text-sm text-ink-muted'

/** One plan on a phone: a link across the whole row, or with a checkbox that the whole row toggles. */
export const PlanRow = memo(function PlanRow(props: PlanRowProps) {
  const { plan, account, today, now, pending, rows } = props
  const content = (
    <>
      {/* The checkbox is beside the title, so that the rest keeps its width. */}
      <span style={rows && { paddingInlineEnd: '2.25rem' }} className={LINE}>
        <span
          dir="auto"
          className="line-clamp-2 text-base font-semibold text-ink group-hover:text-accent"
        >
          {plan.title}
        </span>
        <span className="font-semibold text-ink tabular-nums">
          {planMessages.percent(plan.progress)}
        </span>
      </span>
      <span className={LINE}>
        <span className="flex min-w-0 items-center gap-x-2.5 overflow-hidden">
          <span className="min-w-12 truncate">
            {account ?? (plan.type === 'project' ? planMessages.project : planMessages.none)}
          </span>
          <PlanMarks plan={plan} today={today} now={now} pending={pending} />
        </span>
        {plan.end_date ? (
          <time dateTime={plan.end_date} className="shrink-0 tabular-nums">
            {monthDay(plan.end_date)}
          </time>
        ) : (
          <>
            <span aria-hidden>{planMessages.none}</span>
            <span className="sr-only">{planMessages.noEnd}</span>
          </>
        )}
      </span>
      <span className="flex items-center gap-3">
        <StatusTag status={plan.status} />
        {plan.health && <HealthMark health={plan.health} />}
        <span className="ms-auto flex items-center gap-2.5">
          <Behind plan={plan} today={today} />
          {/* The number says the same. */}
          <span aria-hidden className="w-16 max-[22rem]:hidden">
            <PlanBar plan={plan} today={today} />
          </span>
        </span>
      </span>
    </>
  )
  if (rows) {
    const isSelected = rows.selected.has(plan.id)
    return (
      <label className={`relative ${ROW} ${isSelected ? 'bg-accent-soft' : ''}`}>
        {content}
        <input
          type="checkbox"
          data-key="x"
          className="absolute end-3 top-3 size-5"
          aria-label={planMessages.selectRow(plan.title)}
          checked={isSelected}
          onChange={() => rows.toggle(plan.id, false)}
        />
      </label>
    )
  }
  return (
    <Link
      to={planPath(plan.id)}
      data-plan={plan.id}
      className={`group -outline-offset-2 hover:bg-raised ${ROW}`}
    >
      {content}
    </Link>
  )
})
