import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Account } from '../../../../contract/schemas/accounts.ts'
import { daysBetween, openRenewal } from '../../../../contract/rules.ts'
import type { TimelineEntry } from '../../../data/success-plans/updates-of-plans.ts'
import { HealthMark, NeedsYou } from '../../../widgets/status/tags.tsx'
import { useRecordOutcome } from '../../renewals/record-outcome.tsx'
import type { AccountRisk } from '../../renewals/account-risk.ts'
import { accountPageMessages as messages, accountMessages } from '../messages.ts'
import { planPath } from '../../../data/record-path.ts'

interface AccountStripProps {
  account: Account
  risk: AccountRisk | undefined
  /** The latest update of its plans; undefined without any. */
  last: TimelineEntry | undefined
  authorOf: (user_id: string | null) => string
  today: string
}

/** The renewal, the money, what endangers it, and the last word, side by side. */
export function AccountStrip({ account, risk, last, authorOf, today }: AccountStripProps) {
  const { arr, currency, renewal_date } = account
  const renewal = openRenewal(account)
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
          value={risk ? (money ?? messages.riskWithoutAmount) : messages.noRisk}
        >
          {risk && (
            <span className="flex flex-wrap items-center gap-x-2">
              <HealthMark health={risk.health} />
              {risk.plans > 0 && messages.riskyPlans(risk.plans)}
            </span>
          )}
        </Fact>
        <Fact
          term={messages.lastWord}
          value={last ? messages.ago(last.update.written_at) : messages.noWord}
        >
          {last && (
            <Link
              to={planPath(last.plan.id)}
              className="line-clamp-2 underline-offset-4 hover:underline coarse:min-h-11"
            >
              {messages.byOn(authorOf(last.update.user_id), last.plan.title)}
            </Link>
          )}
        </Fact>
      </dl>
      {outcome.dialog}
    </div>
  )
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
