import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { Link, useParams } from 'react-router'
import type { Account } from '../../../contract/accounts.ts'
import { useConnection } from '../../sync/react.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { membersByUserQuery } from '../organisations/queries.ts'
import { useNow, useToday } from '../organisations/use-today.ts'
import { PlanList } from '../success-plans/plan-list.tsx'
import { HealthMark } from '../success-plans/plan-tags.tsx'
import { usePlans } from '../success-plans/use-plans.ts'
import { Contacts } from './contacts.tsx'
import { useAccount } from './use-accounts.ts'
import { accountWords as words } from './words.ts'

/** `/accounts/:id` */
export function Component() {
  const { id = '' } = useParams()
  const { query, account } = useAccount(id)
  return (
    <>
      <BackLink to="/accounts">{words.back}</BackLink>
      {account ? (
        <One key={id} account={account} />
      ) : (
        <NoAccount
          known={account === null}
          failed={query.isError}
          onRetry={() => void query.refetch()}
        />
      )}
    </>
  )
}

function One({ account }: { account: Account }) {
  return (
    <>
      <PageHeading title={account.name} />
      <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-muted">
        {account.health && <HealthMark health={account.health} />}
        {account.arr !== null && (
          <span className="tabular-nums">{words.arrPerYear(account.arr, account.currency)}</span>
        )}
        {account.renewal_date && <span>{words.renews(account.renewal_date)}</span>}
      </p>
      <div className="mt-6 grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex flex-col gap-10">
          <Plans account={account} />
          {account.notes && (
            <section>
              <h2 className="text-lg">{words.notes}</h2>
              <p className="mt-2 max-w-prose leading-6 whitespace-pre-wrap text-ink-muted">
                {account.notes}
              </p>
            </section>
          )}
        </div>
        <aside
          aria-label={words.facts}
          className="flex flex-col gap-8 lg:border-s lg:border-line lg:ps-8"
        >
          <Facts account={account} />
          <Contacts contacts={account.contacts} />
        </aside>
      </div>
    </>
  )
}

function Plans({ account }: { account: Account }) {
  const { plans } = usePlans()
  const today = useToday()
  const now = useNow()
  const own = useMemo(
    () =>
      plans
        ?.filter((plan) => plan.account_id === account.id)
        .toSorted((a, b) => ((a.end_date ?? '') < (b.end_date ?? '') ? 1 : -1)),
    [plans, account.id],
  )
  return (
    <section aria-labelledby="plans">
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 id="plans" className="text-lg">
          {words.plansTitle}
        </h2>
        <Link to={`/success-plans/new?account=${account.id}`} className={buttonClass()}>
          <Plus aria-hidden />
          {words.newPlan}
        </Link>
      </div>
      {own && own.length > 0 && <PlanList plans={own} today={today} now={now} ofOneAccount />}
      {own?.length === 0 && (
        <p className="border-t border-line py-4 text-sm text-ink-muted">{words.noPlans}</p>
      )}
    </section>
  )
}

function Facts({ account }: { account: Account }) {
  const owner = useQuery(membersByUserQuery()).data?.get(account.owner_id ?? '')
  const facts: [string, React.ReactNode][] = [
    [words.status, words.word(account.status)],
    [words.tier, account.tier && words.word(account.tier)],
    [words.industry, account.industry],
    [words.arr, account.arr !== null && words.money(account.arr, account.currency)],
    [words.renewal, account.renewal_date && words.day(account.renewal_date)],
    [words.owner, owner?.name],
    [words.website, account.website && <Website key={words.website} address={account.website} />],
    [words.tags, account.tags.join(', ')],
  ]
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-sm">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="contents">
              <dt className="text-ink-muted">{name}</dt>
              <dd className="break-words tabular-nums">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** A link only for what a browser opens as a page: a stored address could be anything. */
function Website({ address }: { address: string }) {
  if (!/^https?:\/\//i.test(address)) return address
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer noopener"
      className="text-accent underline underline-offset-4"
    >
      {address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')}
      <span className="sr-only"> {words.opensNew}</span>
    </a>
  )
}

function NoAccount(props: { known: boolean; failed: boolean; onRetry: () => void }) {
  const offline = useConnection() === 'offline'
  const { known, failed, onRetry } = props
  if (!known && !offline && !failed) return <SkeletonRows label={words.loadingOne} rows={4} />
  const title = known ? words.missingTitle : offline ? words.notThisTitle : words.failedTitle
  return (
    <>
      <PageHeading title={title} className="sr-only" />
      <Empty
        scene="fog"
        title={title}
        action={
          known || offline ? (
            <Link to="/accounts" className={buttonClass('primary')}>
              {words.openList}
            </Link>
          ) : (
            <Button onClick={onRetry}>{words.retry}</Button>
          )
        }
      >
        {known ? words.missing : offline ? words.notThis : words.failed}
      </Empty>
    </>
  )
}
