import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { LimitedResource } from '../../../contract/roles.ts'
import type { Subscription } from '../../../contract/schemas/subscriptions.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { loadPage, whenBack } from '../../ui/platform/load-page.ts'
import { useWhenShown } from '../../ui/platform/use-when-shown.ts'
import { Notice } from '../../ui/display/notice.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { ProgressBar } from '../../ui/display/progress.tsx'
import { errorMessage } from '../../widgets/editing/error-message.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { Quiet } from '../../widgets/status/tags.tsx'
import { portalUrl } from '../../data/billing.ts'
import { SubscriptionState } from './subscription-state.tsx'
import { billingMessages as messages } from './messages.ts'

/** `/settings/organisation/billing` */
export function Component() {
  const organisation = useCurrentSession()?.organisation
  if (!organisation) return null
  return (
    <div className="max-w-2xl">
      <PageHeading title={messages.title} />
      <p className="mt-1 text-sm text-ink-muted">{messages.lead(organisation.name)}</p>
      <SubscriptionState>
        {(subscription) => (
          <>
            <SubscriptionSummary subscription={subscription} />
            <Usage subscription={subscription} />
            <CustomerPortal />
          </>
        )}
      </SubscriptionState>
    </div>
  )
}

function SubscriptionSummary({ subscription }: { subscription: Subscription }) {
  const { plan, status, current_period_end, ends_at } = subscription
  return (
    <section className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-line py-5">
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="text-xl">{messages.planOf(plan)}</h2>
        <p className="mt-0.5 text-sm text-pretty text-ink-muted">
          {plan === null && `${messages.planUnknown} `}
          {messages.billingState(plan, status, current_period_end, ends_at)}
        </p>
      </div>
      <Link
        to="/settings/organisation/plans"
        className={buttonClass(plan === 'free' ? 'primary' : 'secondary')}
      >
        {messages.compare}
      </Link>
    </section>
  )
}

function Usage({ subscription: { limits, usage } }: { subscription: Subscription }) {
  // A server need not count: nothing is then said of it.
  const names = (Object.keys(messages.limits) as LimitedResource[]).filter(
    (name) => usage[name] !== null,
  )
  if (names.length === 0) return null
  return (
    <section className="mt-8">
      <h2 className="text-lg">{messages.usage}</h2>
      <dl className="mt-3 grid grid-cols-1 gap-x-10 gap-y-6 sm:grid-cols-2">
        {names.map((name) => (
          <Meter key={name} name={name} used={usage[name] ?? 0} limit={limits[name]} />
        ))}
      </dl>
    </section>
  )
}

interface MeterProps {
  name: LimitedResource
  used: number
  limit: number | null
}

function Meter({ name, used, limit }: MeterProps) {
  const isFull = limit !== null && used >= limit
  return (
    <div>
      <dt className="text-sm text-ink-muted">{messages.limits[name]}</dt>
      <dd className="mt-0.5">
        <p className="mb-2 flex flex-wrap items-baseline gap-x-2 text-lg font-semibold tabular-nums">
          {messages.used(used, limit)}
          {limit === null && (
            <span className="text-sm font-normal text-ink-faint">{messages.noLimit}</span>
          )}
          {isFull && <Quiet>{messages.full}</Quiet>}
        </p>
        {limit !== null && (
          <ProgressBar
            label={messages.limits[name]}
            value={Math.min(100, Math.round((100 * used) / limit))}
          />
        )}
        {limit !== null && used > limit && (
          <p className="mt-1.5 text-sm text-ink-muted">{messages.overLimit(used - limit)}</p>
        )}
      </dd>
    </div>
  )
}

/** Opens the payment provider's customer portal. */
function CustomerPortal() {
  const offline = useConnection() === 'offline'
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const whenShown = useWhenShown()

  async function open() {
    setBusy(true)
    setFailure(undefined)
    try {
      const url = await portalUrl()
      if (whenShown(() => loadPage(url, { external: true }))) return whenBack(() => setBusy(false))
      setFailure(messages.badPortal)
    } catch (problem) {
      setFailure(errorMessage(problem))
    }
    return setBusy(false)
  }

  return (
    <section className="mt-12 border-t border-line pt-6">
      <h2 className="text-lg">{messages.portal}</h2>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-64 text-sm text-pretty text-ink-muted">
          {messages.portalText}
        </p>
        <Button
          busy={busy}
          unavailable={offline ? messages.offline : undefined}
          onClick={() => void open()}
        >
          {messages.portalOpen}
          <ExternalLink aria-hidden />
        </Button>
      </div>
      {failure && (
        <div className="mt-4">
          <Notice tone="danger">{failure}</Notice>
        </div>
      )}
    </section>
  )
}
