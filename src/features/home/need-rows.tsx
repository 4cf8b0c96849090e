import { Route } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { tickAction } from '../../data/edit-action.ts'
import { HealthMark, NeedsYou, Quiet, StatusTag } from '../../widgets/status/tags.tsx'
import { homeMessages as messages } from './messages.ts'
import { accountPath, planPath } from '../../ui/platform/record-path.ts'
import { actionPath } from '../../ui/platform/work-path.ts'

const TITLE = 'min-w-0 font-semibold break-words group-hover:text-accent'
/** Below the title, or behind it with what is due at the end. */
const FACTS =
  'flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-ink-muted @2xl:min-w-1/2 @2xl:flex-1 @2xl:flex-row-reverse @2xl:flex-nowrap'
const ROW =
  'group flex min-w-0 grow flex-col gap-x-4 gap-y-0.5 rounded-sm py-3 -outline-offset-2 @2xl:flex-row @2xl:items-center @2xl:py-2'
const FIRST_LINE = 'flex items-baseline justify-between gap-x-4'

interface ActionNeedProps {
  action: Action
  /** The plan it belongs to, if any. */
  plan: SuccessPlan | undefined
  /** Who does it, where that is not the user. */
  assignee?: string | undefined
  today: string
  /** Called when the action is completed or reopened. */
  onTick: (done: boolean) => void
}

/** An action to complete; its title links to its row. */
export function ActionNeed({ action, plan, assignee, today, onTick }: ActionNeedProps) {
  const { title, due_date, status } = action
  const done = status === 'done'
  function tick(to: boolean) {
    onTick(to)
    tickAction(action, to).catch(() => toast(messages.failed))
  }
  return (
    <div className="flex items-start gap-1">
      <label className="-ms-2 mt-1 grid size-10 shrink-0 @2xl:mt-0 cursor-pointer place-items-center rounded-md hover:bg-sunken coarse:size-11">
        <input
          type="checkbox"
          className="size-4.5 cursor-pointer"
          aria-label={messages.tick(title)}
          checked={done}
          onChange={(event) => tick(event.target.checked)}
        />
      </label>
      <Link to={actionPath(action)} className={ROW}>
        <span dir="auto" className={`${TITLE} ${done ? 'text-ink-muted line-through' : ''}`}>
          {title}
        </span>
        <span className={FACTS}>
          {due_date !== null && !done && <Due day={due_date} today={today} word={messages.due} />}
          {action.priority === 'high' && !done && <Quiet>{messages.highPriority}</Quiet>}
          {assignee && <span className="whitespace-nowrap">{assignee}</span>}
          {plan && <span className="min-w-0 truncate">{plan.title}</span>}
        </span>
      </Link>
    </div>
  )
}

interface PlanNeedProps {
  plan: SuccessPlan
  account: string | undefined
  today: string
  /** What needs attention. */
  children: ReactNode
}

/** A plan that ends soon or is overdue, listed among the actions. */
export function DuePlan(props: Omit<PlanNeedProps, 'children'>) {
  const { plan, today } = props
  return (
    <div className="flex items-start gap-1">
      <Route
        aria-hidden
        className="ms-0.75 me-2.75 mt-3.75 size-4.5 shrink-0 text-ink-faint coarse:ms-1.25 coarse:me-3.25"
      />
      <PlanNeed {...props}>
        {plan.end_date && <Due day={plan.end_date} today={today} word={messages.ends} />}
        <StatusTag status={plan.status} />
      </PlanNeed>
    </div>
  )
}

function PlanNeed({ plan, account, children }: PlanNeedProps) {
  return (
    <Link to={planPath(plan.id)} data-plan={plan.id} className={ROW}>
      <span className={FIRST_LINE}>
        <span dir="auto" className={TITLE}>
          {plan.title}
        </span>
        <span className="text-sm text-ink-muted tabular-nums">
          {messages.percent(plan.progress)}
        </span>
      </span>
      <span className={FACTS}>
        {children}
        {account !== undefined && <span className="min-w-0 truncate">{account}</span>}
      </span>
    </Link>
  )
}

/** A plan that is at risk or has had no update for too long. */
export function RiskyPlan(props: Omit<PlanNeedProps, 'children'> & { stale: boolean }) {
  const { plan, stale } = props
  const last = plan.last_update_at ?? plan.created_at
  return (
    <PlanNeed {...props}>
      {plan.health && <HealthMark health={plan.health} />}
      {stale && last && <Quiet>{messages.staleSince(last)}</Quiet>}
    </PlanNeed>
  )
}

/** An account whose renewal is near or has passed. */
export function Renewal({ account, today }: { account: Account; today: string }) {
  const { id, name, arr, currency, health, renewal_date } = account
  return (
    <Link to={accountPath(id)} className={ROW}>
      <span className={FIRST_LINE}>
        <span dir="auto" className={TITLE}>
          {name}
        </span>
        {arr !== null && (
          <span className="text-sm text-ink-muted tabular-nums">{messages.arr(arr, currency)}</span>
        )}
      </span>
      <span className={FACTS}>
        {renewal_date &&
          (renewal_date < today ? (
            <NeedsYou>{messages.renewalPassed(renewal_date)}</NeedsYou>
          ) : (
            <time dateTime={renewal_date} className="tabular-nums">
              {messages.renews(renewal_date, today)}
            </time>
          ))}
        {health && <HealthMark health={health} />}
      </span>
    </Link>
  )
}

interface DueProps {
  day: string
  today: string
  word: (day: string, today: string) => string
}

function Due({ day, today, word }: DueProps) {
  if (day < today) return <NeedsYou>{messages.overdueBy(day, today)}</NeedsYou>
  return (
    <time dateTime={day} className="whitespace-nowrap tabular-nums">
      {word(day, today)}
    </time>
  )
}
