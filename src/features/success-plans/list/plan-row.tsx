import { memo } from 'react'
import { Link } from 'react-router'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { monthDay } from '../../../ui/text/dates.ts'
import type { RowActions } from '../bulk/bulk-changes.tsx'
import { HealthMark, StatusTag } from '../../../widgets/status/tags.tsx'
import { isMarked, PlanMarks } from '../plan-marks.tsx'
import { PlanProgressBar } from '../plan-progress-bar.tsx'
import { planMessages } from '../messages.ts'

interface PlanRowProps {
  plan: SuccessPlan
  /** The account's name. */
  account: string | undefined
  today: string
  now: number
  pending: 'waiting' | 'attention' | undefined
  /** Undefined where rows are links. */
  rows: RowActions['selection'] | undefined
}

/**
 * All parts of a row are cells of one grid. Each element more costs frames while a long list scrolls: React
 * creates it, and the browser lays it out.
 */
const CELLS =
  'grid grid-cols-[auto_minmax(0,1fr)_minmax(2.75rem,auto)_minmax(2.75rem,auto)] items-center gap-x-3 gap-y-2 border-b border-line px-3 py-1 text-sm sm:px-4'
const ACCOUNT = 'col-span-full -mt-2 text-ink-muted'
const END = 'col-span-2 col-start-3 text-end whitespace-nowrap text-ink-muted tabular-nums'

/** One plan as a link across the whole row, or with a checkbox that the whole row toggles. */
export const PlanRow = memo(function PlanRow(props: PlanRowProps) {
  const { plan, account, today, now, pending, rows } = props
  const name = account ?? (plan.type === 'project' ? planMessages.project : planMessages.none)
  // Beside a checkbox.
  const style = rows && { paddingInlineEnd: '2.25rem' }
  const content = (
    <>
      <span
        style={style}
        className="col-span-full line-clamp-2 text-base font-semibold text-ink group-hover:text-accent"
      >
        {plan.title}
      </span>
      {isMarked(plan, today, now, pending) ? (
        <span style={style} className={`flex items-center gap-x-2.5 overflow-hidden ${ACCOUNT}`}>
          <span className="min-w-12 truncate">{name}</span>
          <PlanMarks plan={plan} today={today} now={now} pending={pending} />
        </span>
      ) : (
        <span style={style} className={`truncate ${ACCOUNT}`}>
          {name}
        </span>
      )}
      <StatusTag status={plan.status} />
      {plan.health && <HealthMark health={plan.health} />}
      {plan.end_date ? (
        <time dateTime={plan.end_date} className={END}>
          {monthDay(plan.end_date)}
        </time>
      ) : (
        <span className={END}>
          <span aria-hidden>{planMessages.none}</span>
          <span className="sr-only">{planMessages.noEnd}</span>
        </span>
      )}
      <PlanProgressBar plan={plan} today={today} />
    </>
  )
  if (rows) {
    const isSelected = rows.selected.has(plan.id)
    return (
      <label className={`relative ${CELLS} ${isSelected ? 'bg-accent-soft' : ''}`}>
        {content}
        <input
          type="checkbox"
          data-key="x"
          className="absolute end-3 top-3 size-5 sm:end-4"
          aria-label={planMessages.selectRow(plan.title)}
          checked={isSelected}
          onChange={() => rows.toggle(plan.id, false)}
        />
      </label>
    )
  }
  return (
    <Link
      to={`/success-plans/${plan.id}`}
      data-plan={plan.id}
      className={`group -outline-offset-2 hover:bg-raised ${CELLS}`}
    >
      {content}
    </Link>
  )
})
