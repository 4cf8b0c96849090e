import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import { daysBetween, isStale } from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { useNow, useToday } from '../../data/organisations/use-today.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { healthFill, statusFill } from '../../widgets/status/tags.tsx'
import { statusMessages } from '../../widgets/status/messages.ts'
import { NoData, type NoDataProps } from '../../widgets/screen-states/no-data.tsx'
import { NONE } from '../../widgets/table/filters.ts'
import { FirstSteps } from './first-steps.tsx'
import { ActionNeed, DuePlan, Renewal, RiskyPlan } from './need-rows.tsx'
import { NeedSection } from './need-section.tsx'
import { byHealth, byStatus, needsOf, type Need } from './needs.ts'
import { SharesChart } from './shares-chart.tsx'
import { homeMessages as messages } from './messages.ts'

interface OverviewProps {
  plans: readonly SuccessPlan[]
  actions: readonly Action[]
  accounts: readonly Account[]
  /** What is not known yet: named on the screen, or drawn as a skeleton where nothing else is shown. */
  unread: NoDataProps | undefined
}

/** What needs the user, and charts of all plans; without a plan the first steps, beside the renewals. */
export function Overview({ plans, actions, accounts, unread }: OverviewProps) {
  const user_id = useCurrentSession()?.user.id ?? ''
  const today = useToday()
  const now = useNow()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const needs = useMemo(
    () => needsOf({ plans, actions, accounts }, { user_id, today, now, ticked }),
    [plans, actions, accounts, user_id, today, now, ticked],
  )
  const planById = useMemo(() => new Map(plans.map((plan) => [plan.id, plan])), [plans])
  const names = useMemo(() => new Map(accounts.map(({ id, name }) => [id, name])), [accounts])
  const statuses = useMemo(() => byStatus(plans), [plans])
  const healths = useMemo(() => byHealth(plans), [plans])
  const accountOf = (plan: SuccessPlan) => names.get(plan.account_id ?? '')

  const row = (need: Need) =>
    need.kind === 'action' ? (
      <ActionNeed
        action={need.record}
        plan={planById.get(need.record.success_plan_id ?? '')}
        today={today}
        onTick={() => setTicked((known) => new Set(known).add(need.record.id))}
      />
    ) : (
      <DuePlan plan={need.record} account={accountOf(need.record)} today={today} />
    )
  const riskyRow = (plan: SuccessPlan) => (
    <RiskyPlan plan={plan} account={accountOf(plan)} today={today} stale={isStale(plan, now)} />
  )
  const renewalRow = (account: Account) => <Renewal account={account} today={today} />
  // Renewals have their own column.
  const hasPlans = plans.length > 0
  const isEmpty = [needs.overdue, needs.next, needs.risky].every(({ length }) => length === 0)
  const isClear = hasPlans && isEmpty && !unread
  const isRenewalNear = needs.renewals.some(
    ({ renewal_date }) => renewal_date !== null && daysBetween(today, renewal_date) <= NEXT_DAYS,
  )

  return (
    <div className="mt-6 grid grid-cols-1 gap-x-12 gap-y-10 lg:has-[aside]:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-9 min-[90rem]:block min-[90rem]:columns-2 min-[90rem]:gap-x-12 min-[90rem]:*:mb-9 min-[90rem]:*:break-inside-avoid">
        {!hasPlans && <FirstSteps hasAccounts={accounts.length > 0} />}
        {hasPlans && unread && <NoData {...unread} loading={isEmpty && unread.loading} />}
        {isClear && isRenewalNear && <p className="text-ink-muted">{messages.onlyRenewals}</p>}
        {isClear && !isRenewalNear && (
          <Empty
            scene="clear"
            title={messages.allClearTitle}
            action={
              <Link to="/success-plans" className={buttonClass()}>
                {messages.allPlans}
              </Link>
            }
          >
            {messages.allClear}
          </Empty>
        )}
        <NeedSection title={messages.overdue} items={needs.overdue} keyOf={idOfNeed} row={row} />
        <NeedSection title={messages.next} items={needs.next} keyOf={idOfNeed} row={row} />
        <NeedSection
          title={messages.atRiskOrStale}
          items={needs.risky}
          keyOf={idOf}
          row={riskyRow}
          aside={
            <Link
              to="/success-plans?review"
              className={`${buttonClass('quiet')} -my-1.5 -me-3.5 shrink-0`}
            >
              {messages.review}
            </Link>
          }
        />
      </div>
      {(hasPlans || accounts.length > 0) && (
        <aside className="flex flex-col gap-8 lg:border-s lg:border-line lg:ps-8">
          <div>
            <NeedSection
              title={messages.renewals}
              items={needs.renewals}
              keyOf={idOf}
              row={renewalRow}
            />
            <Link to="/?renewals" className={`${buttonClass('quiet')} -ms-3.5 mt-1`}>
              {messages.allRenewals}
            </Link>
          </div>
          {hasPlans && (
            <SharesChart
              title={messages.byStatus}
              shares={statuses}
              labelOf={statusMessages.statusOption}
              fillOf={statusFill}
            />
          )}
          {healths.length > 0 && (
            <SharesChart
              title={messages.byHealth}
              shares={healths}
              labelOf={(key) => (key === NONE ? messages.noHealth : statusMessages.health(key))}
              fillOf={healthFill}
            />
          )}
        </aside>
      )}
    </div>
  )
}

/** The two weeks of which the all-clear speaks. */
const NEXT_DAYS = 14
const idOf = ({ id }: { id: string }) => id
const idOfNeed = ({ kind, record }: Need) => `${kind} ${record.id}`
