import { lazy, Suspense } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import type { Account } from '../../../../contract/schemas/accounts.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/display/empty.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { SkeletonForm, SkeletonRows } from '../../../ui/display/skeleton.tsx'
import { PageHeader } from '../../../widgets/screen-states/page-header.tsx'
import { TypedTexts } from '../../../widgets/screen-states/typed-texts.tsx'
import { NoData } from '../../../widgets/screen-states/no-data.tsx'
import { RecordMenu } from '../../../widgets/editing/record-menu.tsx'
import { PendingRecord } from '../../../widgets/editing/pending-record.tsx'
import { editingMessages } from '../../../widgets/editing/messages.ts'
import { useNow } from '../../../data/organisations/use-today.ts'
import { RenewalHistory } from '../../renewals/renewal-history.tsx'
import { HealthMark, Quiet } from '../../../widgets/status/tags.tsx'
import { AccountPlans } from './account-plans.tsx'
import { AccountFacts, NextActions, useAccountWork } from './account-sections.tsx'
import { AccountStrip } from './account-strip.tsx'
import { Contacts } from './contacts.tsx'
import { HealthChart } from './health-chart.tsx'
import { Timeline } from './timeline.tsx'
import { useRecordId } from '../../../data/record-id.ts'
import { useAccount } from '../../../data/accounts.ts'
import { accountMessages as messages } from '../messages.ts'
import { accountPath } from '../../../ui/platform/record-path.ts'

const AccountForm = lazy(async () => ({
  default: (await import('../account-form.tsx')).AccountForm,
}))

/** `/accounts/:id`; the form with `?edit`. */
export function Component() {
  const { id, key } = useRecordId(useParams().id ?? '')
  const [params] = useSearchParams()
  const { query, account } = useAccount(id)
  if (account && params.has('edit')) return <Edit key={key} account={account} />
  if (account) return <AccountDetails key={key} account={account} />
  return (
    <>
      {BACK}
      {account === null ? (
        <MissingAccount key={id} id={id} />
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

const BACK = <BackLink to="/accounts">{messages.back}</BackLink>

function Edit({ account }: { account: Account }) {
  const navigate = useNavigate()
  const leave = () => navigate(accountPath(account.id), { replace: true })
  return (
    <div className="mx-auto max-w-2xl">
      <BackLink to={accountPath(account.id)}>{messages.backToAccount}</BackLink>
      <PageHeading title={messages.editTitle} />
      <p className="mt-1 text-sm text-ink-muted">{account.name}</p>
      <Suspense fallback={<SkeletonForm label={messages.loadingForm} />}>
        <AccountForm account={account} onDone={leave} onCancel={() => void leave()} />
      </Suspense>
    </div>
  )
}

function AccountDetails({ account }: { account: Account }) {
  const navigate = useNavigate()
  const work = useAccountWork(account)
  const { own, entries, missing, nameOf, authorOf, today } = work
  const now = useNow()
  return (
    <>
      <PageHeader
        title={account.name}
        className="text-2xl text-pretty max-sm:text-xl"
        age={{ shows: { collection: 'accounts', id: account.id } }}
        back={BACK}
        actions={
          <RecordMenu
            record={account}
            title={account.name}
            resource="accounts"
            deleteBlocker={own && own.length > 0 ? messages.deletePlansFirst : undefined}
            consequence={messages.deleteConsequence}
            onEdit={() => navigate('?edit')}
            onDeleted={() => navigate('/accounts', { replace: true })}
          />
        }
      />
      <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-muted empty:hidden">
        {account.health && <HealthMark health={account.health} />}
        {account.status !== 'active' && <Quiet>{messages.enumLabel(account.status)}</Quiet>}
      </p>
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
      <AccountStrip account={account} work={work} today={today} />
      <div className="mt-7 grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem] min-[90rem]:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-9">
          <NextActions account={account} plans={own ?? NONE} nameOf={nameOf} today={today} />
          <AccountPlans account_id={account.id} plans={own} unread={work.unread} today={today} />
        </div>
        <aside
          aria-label={messages.facts}
          className="flex min-w-0 flex-col gap-8 lg:[grid-area:1/2/3] lg:border-s lg:border-line lg:ps-8"
        >
          <Contacts account={account} />
          <HealthChart plans={own ?? NONE} entries={entries ?? NONE} now={now} />
          <RenewalHistory renewals={account.renewals} nameOf={nameOf} />
          <AccountFacts account={account} />
        </aside>
        <div className="flex min-w-0 flex-col gap-9">
          {account.notes && (
            <section>
              <h2 className="text-base font-semibold">{messages.notes}</h2>
              <p
                dir="auto"
                className="mt-1.5 max-w-prose leading-6 whitespace-pre-wrap text-ink-muted"
              >
                {account.notes}
              </p>
            </section>
          )}
          <Timeline entries={entries} missing={missing.length} authorOf={authorOf} />
        </div>
      </div>
    </>
  )
}

const NONE: readonly never[] = []

function MissingAccount({ id }: { id: string }) {
  return (
    <>
      <PageHeading title={messages.missingTitle} className="sr-only" />
      <Empty scene="fog" title={messages.missingTitle} action={<OpenList />}>
        {messages.missing}
      </Empty>
      <TypedTexts id={id} />
    </>
  )
}

const OpenList = () => (
  <Link to="/accounts" className={buttonClass('primary')}>
    {messages.openList}
  </Link>
)
