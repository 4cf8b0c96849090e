import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { limitsOf, type LimitedResource } from '../../../contract/roles.ts'
import type { Subscription } from '../../../contract/schemas/subscriptions.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { loadPage, whenBack } from '../../ui/platform/load-page.ts'
import { useWhenShown } from '../../ui/platform/use-when-shown.ts'
import { Notice } from '../../ui/display/notice.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Tag } from '../../ui/display/tag.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { errorMessage } from '../../widgets/editing/error-message.ts'
import { downgrade, upgrade } from '../../data/billing.ts'
import { subscriptionQuery } from '../../data/billing.ts'
import { useConfiguration } from '../session/cached-config.ts'
import { SubscriptionState } from './subscription-state.tsx'
import { billingMessages as messages } from './messages.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../widgets/editing/confirm-dialog.tsx')).ConfirmDialog,
}))

const PLANS = ['free', 'professional'] as const

/** The resources that the server counts and limits as Cairn’s own server does: only those limits are in the texts. */
const limitedBy = ({ plan, limits, usage }: Subscription): LimitedResource[] =>
  (Object.keys(messages.limits) as LimitedResource[]).filter(
    (name) => usage[name] !== null && limits[name] === limitsOf(plan ?? '')[name],
  )

/** `/settings/organisation/plans` */
export function Component() {
  return (
    <div className="max-w-2xl">
      <PageHeading title={messages.plansTitle} />
      <p className="mt-1 text-sm text-ink-muted">{messages.plansLead}</p>
      <SubscriptionState>
        {(subscription) => <Comparison subscription={subscription} />}
      </SubscriptionState>
    </div>
  )
}

const CELL = 'px-2 py-3 text-start sm:px-5 cramped:px-1'
/** Highlights the column of the current plan. */
const CURRENT_PLAN_CLASS = 'bg-accent-soft/60 first:rounded-t-lg'

function Comparison({ subscription }: { subscription: Subscription }) {
  const { professionalPrice } = useConfiguration()
  const rows: [label: string, valueOf: (plan: string) => ReactNode][] = [
    [
      messages.price,
      (plan) => (plan === 'free' ? messages.freePrice : (professionalPrice ?? messages.onRequest)),
    ],
    ...limitedBy(subscription).map((name): (typeof rows)[number] => [
      messages.limits[name],
      (plan) => limitsOf(plan)[name] ?? messages.unlimited,
    ]),
    [messages.everything, () => messages.included],
  ]
  const isMine = (plan: string) => (subscription.plan === plan ? CURRENT_PLAN_CLASS : '')
  return (
    <table className="w-full table-fixed border-collapse text-sm">
      <caption className="sr-only">{messages.comparison}</caption>
      <thead>
        <tr className="align-bottom">
          <th scope="col" className="w-[30%] py-3 text-start">
            <span className="sr-only">{messages.feature}</span>
          </th>
          {PLANS.map((plan) => (
            <th key={plan} scope="col" className={`${CELL} ${isMine(plan)} rounded-t-lg`}>
              <span className="mb-1 block min-h-5">
                {subscription.plan === plan && (
                  <Tag severity="success">
                    {subscription.ends_at ? messages.until(subscription.ends_at) : messages.current}
                  </Tag>
                )}
              </span>
              <span className="text-sm font-semibold sm:text-lg">{messages.plans[plan]}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, valueOf]) => (
          <tr key={label} className="border-y border-line">
            <th scope="row" className="py-3 pe-2 text-start font-normal text-ink-muted">
              {label}
            </th>
            {PLANS.map((plan) => (
              <td key={plan} className={`${CELL} ${isMine(plan)} font-semibold tabular-nums`}>
                {valueOf(plan)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={3} className="pt-5">
            <Change subscription={subscription} />
          </td>
        </tr>
      </tfoot>
    </table>
  )
}

/** Changes to the other plan. */
function Change({ subscription }: { subscription: Subscription }) {
  const { plan, status, usage, ends_at, current_period_end } = subscription
  const queries = useQueryClient()
  const unavailable = useConnection() === 'offline' ? messages.offline : undefined
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [asking, setAsking] = useState(false)
  const whenShown = useWhenShown()
  const free = limitsOf('free')
  const tooMany = limitedBy(subscription).filter(
    (name) => (usage[name] ?? 0) > (free[name] ?? Infinity),
  )

  async function up() {
    setBusy(true)
    setFailure(undefined)
    try {
      const url = await upgrade()
      // Busy until the other page is there: another press would start a second subscription.
      if (url !== undefined && whenShown(() => loadPage(url, { external: true })))
        return whenBack(() => setBusy(false))
      if (url !== undefined) setFailure(messages.badPortal)
      else toast(ends_at ? messages.resumed : messages.upgraded)
    } catch (problem) {
      setFailure(errorMessage(problem))
    }
    await queries.invalidateQueries(subscriptionQuery())
    return setBusy(false)
  }

  async function down() {
    await downgrade()
    await queries.invalidateQueries(subscriptionQuery())
    toast(messages.downgraded)
    setAsking(false)
  }

  // A server that names neither a plan nor a state may have no subscription yet: it decides.
  const mayUpgrade = plan === null ? status === 'none' : plan !== 'professional'
  // Under the plan that it leads to.
  const place = mayUpgrade || ends_at ? 'sm:items-end' : 'sm:items-start sm:ps-[calc(30%+1.25rem)]'
  return (
    <div className={`flex flex-col items-stretch gap-3 ${place}`}>
      {failure && <Notice tone="danger">{failure}</Notice>}
      {plan === null && <p>{messages.planUnknown}</p>}
      {mayUpgrade || ends_at ? (
        <Button variant="primary" busy={busy} unavailable={unavailable} onClick={() => void up()}>
          {mayUpgrade ? messages.upgrade : messages.resume}
        </Button>
      ) : (
        plan !== null && (
          <Button unavailable={unavailable} onClick={() => setAsking(true)}>
            {messages.downgrade}
          </Button>
        )
      )}
      {asking && (
        <Suspense>
          <ConfirmDialog
            title={messages.downgradeTitle}
            action={messages.downgradeConfirm}
            cancelLabel={messages.keep}
            unavailable={unavailable}
            onClose={() => setAsking(false)}
            onConfirm={down}
          >
            <p>{messages.downgradeText(current_period_end)}</p>
            {tooMany.length > 0 && (
              <p className="mt-3">
                {messages.downgradeOverLimit(
                  tooMany.map((name) => messages.limits[name].toLowerCase()),
                )}
              </p>
            )}
          </ConfirmDialog>
        </Suspense>
      )}
    </div>
  )
}
