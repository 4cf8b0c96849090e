import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Account } from '../../../../contract/schemas/accounts.ts'
import { daysBetween, openRenewal } from '../../../../contract/rules.ts'
import { HealthMark, NeedsYou } from '../../../widgets/status/tags.tsx'
import { useRecordOutcome } from '../../renewals/record-outcome.tsx'
import { riskOf } from '../../renewals/account-risk.ts'
import { accountPageMessages as messages, accountMessages } from '../messages.ts'
import { planPath } from '../../../ui/platform/record-path.ts'
import type { useAccountWork } from './account-sections.tsx'

type Work = Pick<
  ReturnType<typeof useAccountWork>,
  'own' | 'unread' | 'entries' | 'missing' | 'authorOf'
>

interface AccountStripProps {
  account: Account
  work: Work
  today: string
}

/** The renewal, the money, what endangers it, and the last update, side by side. */
export function AccountStrip({ account, work, today }: AccountStripProps) {
  const { arr, currency, renewal_date } = account
  const renewal = openRenewal(account)
  const risk = riskOf(account, work.own ?? [])
  const last = lastUpdateOf(work)
  const outcome = useRecordOutcome([account])
  const money = arr === null ? undefined : accountMessages.money(arr, currency)
  return (
    <div className="@container">
      <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-5 border-y border-line py-4 @2xl:grid-cols-4">
        <Fact
          term={messages.renewal}
          value={renewal_date ? accountMessages.day(renewal_date) : messages.noRenewal}
        >
          {renewal_date && !renewal && accountMessages.enumLabel(account.status)}
          {renewal && (
            <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <DaysLeft days={daysBetween(today, renewal)} />
              {outcome.button(account)}
              {renewal >= today && (
                <Link
                  to={`/success-plans/new?account=${encodeURIComponent(account.id)}&end=${renewal}`}
                  className="inline-flex min-h-6 items-center font-semibold text-accent underline-offset-4 hover:underline coarse:min-h-11 coarse:min-w-11"
                >
                  {messages.planRenewal}
                </Link>
              )}
            </span>
          )}
        </Fact>
        <Fact term={messages.arr} value={money ?? messages.noAmount}>
          {money && messages.aYear}
        </Fact>
        <Fact
          term={messages.atRisk}
          value={
            risk
              ? (money ?? messages.riskWithoutAmount)
              : work.own && !work.unread
                ? messages.noRisk
                : messages.notKnown
          }
        >
          {risk && (
            <span className="flex flex-wrap items-center gap-x-2">
              <HealthMark health={risk.health} />
              {risk.plans > 0 && messages.riskyPlans(risk.plans)}
            </span>
          )}
        </Fact>
        <Fact
          term={messages.lastUpdate}
          value={
            last
              ? messages.ago(last.at)
              : work.entries && work.missing.length === 0 && !work.unread
                ? messages.noUpdate
                : messages.notKnown
          }
        >
          {last && (
            <Link
              to={planPath(last.plan_id)}
              className="line-clamp-2 underline-offset-4 hover:underline coarse:min-h-11"
            >
              {last.text}
            </Link>
          )}
        </Fact>
      </dl>
      {outcome.dialog}
    </div>
  )
}

/** The latest update of the plans; of one that is not on the device there is only the time. */
function lastUpdateOf({ own = [], entries, missing, authorOf }: Work) {
  const newest = entries?.[0]
  const updates = own.flatMap(({ id, title, last_update_at: at }) =>
    at && missing.includes(id) ? [{ at, plan_id: id, text: title }] : [],
  )
  if (newest) {
    const { plan, update } = newest
    const text = messages.byOn(authorOf(update.user_id), plan.title)
    updates.push({ at: update.written_at, plan_id: plan.id, text })
  }
  return updates.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0]
}

function DaysLeft({ days }: { days: number }) {
  return days < 0 ? (
    <NeedsYou>{messages.passedFor(-days)}</NeedsYou>
  ) : (
    <span className="tabular-nums">{messages.daysLeft(days)}</span>
  )
}

interface FactProps {
  term: string
  value: string
  children: ReactNode
}

const Fact = ({ term, value, children }: FactProps) => (
  <div className="min-w-0">
    <dt className="text-sm text-ink-muted">{term}</dt>
    <dd className="mt-0.5 min-w-0">
      <span className="block truncate text-lg font-semibold tabular-nums">{value}</span>
      <span className="block text-sm text-ink-muted">{children}</span>
    </dd>
  </div>
)
