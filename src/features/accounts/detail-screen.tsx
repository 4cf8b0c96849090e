import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { DataAge } from '../../widgets/screen-states/data-age.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { RecordMenu } from '../../widgets/editing/record-menu.tsx'
import { PendingRecord } from '../../widgets/editing/pending-record.tsx'
import { editingMessages } from '../../widgets/editing/messages.ts'
import { fieldName } from '../../data/operations/field-labels.ts'
import { membersByUserQuery } from '../../data/organisations/queries.ts'
import { useNow, useToday } from '../../data/organisations/use-today.ts'
import { PlanList } from '../success-plans/list/plan-list.tsx'
import { HealthMark } from '../../widgets/status/tags.tsx'
import { usePlans } from '../../data/success-plans/queries.ts'
import { Contacts } from './contacts.tsx'
import { deleteRecord } from '../../data/change-records.ts'
import { useRecordId } from '../../data/record-id.ts'
import { useAccount } from '../../data/accounts.ts'
import { accountMessages as messages } from './messages.ts'

const AccountForm = lazy(async () => ({
  default: (await import('./account-form.tsx')).AccountForm,
}))

/** `/accounts/:id`; the form with `?edit`. */
export function Component() {
  const { id, key } = useRecordId(useParams().id ?? '')
  const [params] = useSearchParams()
  const { query, account } = useAccount(id)
  if (account && params.has('edit')) return <Edit key={key} account={account} />
  return (
    <>
      <BackLink to="/accounts">{messages.back}</BackLink>
      {account ? (
        <AccountDetails key={key} account={account} />
      ) : account === null ? (
        <MissingAccount />
      ) : (
        <NoData
          query={query}
          messages={{
            ...messages,
            notHereTitle: messages.accountNotHereTitle,
            notHere: messages.accountNotHere,
          }}
          loading={<SkeletonRows label={messages.loadingAccount} rows={4} />}
          offlineAction={<OpenList />}
          asPage
        />
      )}
    </>
  )
}

function Edit({ account }: { account: Account }) {
  const navigate = useNavigate()
  const leave = () => navigate(`/accounts/${account.id}`, { replace: true })
  return (
    <div className="mx-auto max-w-2xl">
      <BackLink to={`/accounts/${account.id}`}>{messages.backToAccount}</BackLink>
      <PageHeading title={messages.editTitle} />
      <p className="mt-1 text-sm text-ink-muted">{account.name}</p>
      <Suspense>
        <AccountForm account={account} onDone={leave} onCancel={() => void leave()} />
      </Suspense>
    </div>
  )
}

function AccountDetails({ account }: { account: Account }) {
  const navigate = useNavigate()
  const { plans } = usePlans()
  const own = useMemo(
    () =>
      plans
        ?.filter((plan) => plan.account_id === account.id)
        .toSorted((a, b) => ((a.end_date ?? '') < (b.end_date ?? '') ? 1 : -1)),
    [plans, account.id],
  )
  return (
    <>
      <header className="flex items-start justify-between gap-x-4">
        <div className="min-w-0">
          <PageHeading title={account.name} className="text-2xl text-pretty" />
          <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-muted">
            {account.health && <HealthMark health={account.health} />}
            {account.arr !== null && (
              <span className="tabular-nums">
                {messages.arrPerYear(account.arr, account.currency)}
              </span>
            )}
            {account.renewal_date && <span>{messages.renews(account.renewal_date)}</span>}
          </p>
        </div>
        <RecordMenu
          record={account}
          title={account.name}
          resource="accounts"
          deleteBlocker={own && own.length > 0 ? messages.deletePlansFirst : undefined}
          consequence={messages.deleteConsequence}
          onEdit={() => navigate('?edit')}
          onDelete={() => deleteRecord('accounts', account.id)}
          onDeleted={() => navigate('/accounts', { replace: true })}
        />
      </header>
      <DataAge messages={messages} />
      <PendingRecord
        id={account.id}
        resource="accounts"
        madeHere={messages.createdHere}
        changedHere={messages.changedHere}
      >
        <Link to="?edit" className={buttonClass('quiet')}>
          {editingMessages.edit}
        </Link>
      </PendingRecord>
      <div className="mt-6 grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex flex-col gap-10">
          <Plans account_id={account.id} plans={own} />
          {account.notes && (
            <section>
              <h2 className="text-lg">{messages.notes}</h2>
              <p className="mt-2 max-w-prose leading-6 whitespace-pre-wrap text-ink-muted">
                {account.notes}
              </p>
            </section>
          )}
        </div>
        <aside
          aria-label={messages.facts}
          className="flex flex-col gap-8 lg:border-s lg:border-line lg:ps-8"
        >
          <Facts account={account} />
          <Contacts account={account} />
        </aside>
      </div>
    </>
  )
}

interface PlansProps {
  account_id: string
  /** Undefined until they are loaded. */
  plans: readonly SuccessPlan[] | undefined
}

function Plans({ account_id, plans }: PlansProps) {
  const today = useToday()
  const now = useNow()
  return (
    <section aria-labelledby="plans">
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 id="plans" className="text-lg">
          {messages.plansTitle}
        </h2>
        <Link to={`/success-plans/new?account=${account_id}`} className={buttonClass()}>
          <Plus aria-hidden />
          {messages.newPlan}
        </Link>
      </div>
      {plans && plans.length > 0 && <PlanList plans={plans} today={today} now={now} ofOneAccount />}
      {plans?.length === 0 && (
        <p className="border-t border-line py-4 text-sm text-ink-muted">{messages.noPlans}</p>
      )}
    </section>
  )
}

function Facts({ account }: { account: Account }) {
  const owner = useQuery(membersByUserQuery()).data?.get(account.owner_id ?? '')
  const rows: [keyof Account, React.ReactNode][] = [
    ['status', messages.enumLabel(account.status)],
    ['tier', account.tier && messages.enumLabel(account.tier)],
    ['industry', account.industry],
    ['arr', account.arr !== null && messages.money(account.arr, account.currency)],
    ['renewal_date', account.renewal_date && messages.day(account.renewal_date)],
    ['owner_id', owner?.name],
    ['website', account.website && <Website key="website" address={account.website} />],
    ['tags', account.tags.join(', ')],
  ]
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-sm">
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name} className="contents">
              <dt className="text-ink-muted">{fieldName(name)}</dt>
              <dd className="break-words tabular-nums">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** A link only for http and https URLs: a stored value could be anything. */
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
      <span className="sr-only"> {messages.opensNew}</span>
    </a>
  )
}

function MissingAccount() {
  return (
    <>
      <PageHeading title={messages.missingTitle} className="sr-only" />
      <Empty scene="fog" title={messages.missingTitle} action={<OpenList />}>
        {messages.missing}
      </Empty>
    </>
  )
}

const OpenList = () => (
  <Link to="/accounts" className={buttonClass('primary')}>
    {messages.openList}
  </Link>
)
