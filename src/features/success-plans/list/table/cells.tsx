// The cells of the table of plans. What they need besides the plan comes from a context, so that a row
// renders again only if its plan has changed.
import { createContext, useContext } from 'react'
import { Link } from 'react-router'
import {
  elapsedPercent,
  isBehind,
  isOverdue,
  isPlanOpen,
  isStale,
} from '../../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import type { NameOf } from '../../../../data/record-id.ts'
import { personNamed } from '../../../../data/organisations/person-name.ts'
import { ProgressBar } from '../../../../ui/display/progress.tsx'
import type { SelectableRows } from '../../../../ui/list/bulk/bulk-selection.tsx'
import { cellId } from '../../../../ui/list/table-row.tsx'
import { monthDay } from '../../../../ui/text/dates.ts'
import { HealthMark, NeedsYou, Quiet, StatusTag } from '../../../../widgets/status/tags.tsx'
import { OwnerName } from '../../../../widgets/cells/owner-name.tsx'
import { planMessages as messages } from '../../messages.ts'
import { cellMessages } from './messages.ts'
import { planPath } from '../../../../ui/platform/record-path.ts'

/** What cells need besides their plan. */
interface CellContext {
  /** The day in the organisation's time zone. */
  today: string
  /** Epoch milliseconds. */
  now: number
  /** The name of an account or a person. */
  nameOf: NameOf
  /** Plans with pending operations. */
  pending: ReadonlyMap<string, 'waiting' | 'attention'>
  /** Edits a cell; undefined until that is loaded. */
  edit: SelectableRows['edit'] | undefined
  /** Whether the server keeps a field of a plan. */
  keeps: (field: string) => boolean
}

export const CellContext = createContext<CellContext>({
  today: '',
  now: 0,
  nameOf: () => undefined,
  pending: new Map(),
  edit: undefined,
  keeps: () => true,
})

interface CellProps {
  plan: SuccessPlan
}

/** The columns that describe a row's link to those who do not see them beside it. */
const DESCRIBING = ['account', 'status', 'health', 'progress', 'end_date']

/** The link to the plan, with marks for what is pending. */
export function TitleCell({ plan }: CellProps) {
  const { pending, nameOf } = useContext(CellContext)
  const state = pending.get(plan.id)
  const account = nameOf('accounts', plan.account_id)
  return (
    <Link
      to={planPath(plan.id)}
      data-plan={plan.id}
      aria-describedby={DESCRIBING.map((column) => cellId(plan.id, column)).join(' ')}
      className="flex h-(--row) scroll-mt-24 flex-wrap gap-x-2 overflow-hidden -outline-offset-2"
    >
      <span className="flex min-h-(--row) max-w-full items-center gap-x-2">
        <span
          dir="auto"
          className="line-clamp-[var(--lines,1)] leading-tight font-semibold whitespace-normal group-hover:text-accent"
        >
          {plan.title}
        </span>
        {state === 'attention' && <NeedsYou>{messages.attention}</NeedsYou>}
        {state === 'waiting' && <Quiet>{messages.waiting}</Quiet>}
      </span>
      {/* Wraps out of sight where there is no room for most of it. */}
      {account !== undefined && (
        <span className="min-w-28 flex-1 truncate leading-(--row) text-ink-muted @4xl:hidden">
          {account}
        </span>
      )}
    </Link>
  )
}

/** The account's name, or that it is a project. */
export function AccountCell({ plan }: CellProps) {
  const { nameOf } = useContext(CellContext)
  return (
    nameOf('accounts', plan.account_id) ??
    (plan.type === 'project' ? messages.project : messages.none)
  )
}

/** The status as a tag. */
export const StatusCell = ({ plan }: CellProps) => <StatusTag status={plan.status} />

/** The health as a word with a shape. */
export const HealthCell = ({ plan }: CellProps) =>
  plan.health === null ? null : <HealthMark health={plan.health} />

/** The progress in per cent, with a bar where there is room, and a word if the plan is behind. */
export function ProgressCell({ plan }: CellProps) {
  const { today } = useContext(CellContext)
  const isOpen = isPlanOpen(plan)
  return (
    <span className="flex items-center gap-x-2.5">
      <span className="w-10 shrink-0 font-semibold tabular-nums">
        {messages.percent(plan.progress)}
      </span>
      {/* The number says the same. */}
      <span aria-hidden className="hidden w-12 shrink-0 @4xl:block @min-[90rem]:w-24">
        <ProgressBar
          label=""
          value={Math.min(100, Math.max(0, plan.progress))}
          expected={isOpen ? elapsedPercent(plan, today) : undefined}
          tone={isOpen ? 'neutral' : 'muted'}
        />
      </span>
      {/* Of an overdue plan the end date says more. */}
      {isBehind(plan, today) && !isOverdue(plan, today) && (
        <span className="text-xs font-semibold text-glow-ink">{messages.behind}</span>
      )}
    </span>
  )
}

/** The end date, with a word if it has passed. */
export function EndCell({ plan }: CellProps) {
  const { today } = useContext(CellContext)
  if (plan.end_date === null) return null
  return (
    <span className="flex items-center gap-x-2">
      <time dateTime={plan.end_date}>{monthDay(plan.end_date)}</time>
      {isOverdue(plan, today) && <NeedsYou>{messages.overdue}</NeedsYou>}
    </span>
  )
}

/** The owner's name, where there is room with its avatar. */
export function OwnerCell({ plan }: CellProps) {
  const { nameOf } = useContext(CellContext)
  if (plan.owner_id === null) return null
  return (
    <OwnerName
      name={nameOf('organisation_users', plan.owner_id)}
      instead={personNamed(nameOf, plan.owner_id)}
      avatarClass="hidden @min-[90rem]:inline"
    />
  )
}

/** When the last update was posted, with a word if one is due. */
export function LastUpdateCell({ plan }: CellProps) {
  const { now } = useContext(CellContext)
  return (
    <span className="flex items-center gap-x-2">
      {plan.last_update_at && (
        <time dateTime={plan.last_update_at} className="truncate">
          {cellMessages.ago(plan.last_update_at, now)}
        </time>
      )}
      {isStale(plan, now) && <Quiet>{messages.stale}</Quiet>}
    </span>
  )
}
