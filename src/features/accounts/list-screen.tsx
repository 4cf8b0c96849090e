import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { BackLink } from '../../ui/back-link.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { OpenedRecord } from '../../ui/list/opened-record.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonForm, SkeletonRows } from '../../ui/display/skeleton.tsx'
import { useCreateKey } from '../../widgets/keys/use-single-keys.ts'
import { LoadingPage } from '../../widgets/screen-states/loading-page.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { useUnreadList } from '../../widgets/screen-states/use-unread-list.ts'
import { PageHeader } from '../../widgets/screen-states/page-header.tsx'
import { ListMenu } from './list-menu.tsx'
import { AccountResults } from './account-results.tsx'
import { useAccounts } from '../../data/accounts.ts'
import { accountMessages as messages } from './messages.ts'
import { accountPath } from '../../ui/platform/record-path.ts'

const AccountForm = lazy(async () => ({
  default: (await import('./account-form.tsx')).AccountForm,
}))

const ImportAccounts = lazy(async () => ({
  default: (await import('../import/import-accounts.tsx')).ImportAccounts,
}))

/** `/accounts`; the form of a new one with `?new`, the import with `?import`. */
export function Component() {
  const [params] = useSearchParams()
  if (params.has('import'))
    return (
      <Suspense fallback={<LoadingPage title={messages.import} />}>
        <ImportAccounts />
      </Suspense>
    )
  if (params.has('new')) return <NewAccount />
  return (
    <>
      <Accounts />
      <OpenedRecord path="/accounts" />
    </>
  )
}

function NewAccount() {
  const navigate = useNavigate()
  return (
    <div className="mx-auto max-w-2xl">
      <BackLink to="/accounts">{messages.back}</BackLink>
      <PageHeading title={messages.newTitle} />
      <p className="mt-1 text-sm text-ink-muted">{messages.newLead}</p>
      <Suspense fallback={<SkeletonForm label={messages.loadingForm} />}>
        <AccountForm
          onDone={(id) => navigate(accountPath(id), { replace: true })}
          onCancel={() => void navigate('/accounts', { replace: true })}
        />
      </Suspense>
    </div>
  )
}

function Accounts() {
  const { query, accounts } = useAccounts()
  const unread = useUnreadList([{ collection: 'accounts', query }])
  const [isSelecting, setSelecting] = useState(false)
  const createKey = useCreateKey()
  const toNew = (label: string) => (
    <Link to="?new" {...createKey(label)} className={buttonClass('primary')}>
      <Plus aria-hidden />
      {label}
    </Link>
  )
  return (
    <>
      <PageHeader
        title={messages.title}
        age={{ shows: { collection: 'accounts' } }}
        actions={
          accounts &&
          accounts.length > 0 && (
            <>
              <ListMenu accounts={accounts} onSelecting={setSelecting} />
              {toNew(messages.newAccount)}
            </>
          )
        }
      />
      {accounts && accounts.length > 0 && (
        <AccountResults accounts={accounts} isSelecting={isSelecting} onSelecting={setSelecting} />
      )}
      {accounts?.length === 0 && !unread && (
        <Empty
          title={messages.emptyTitle}
          action={
            <span className="flex flex-wrap justify-center gap-2">
              {toNew(messages.firstAccount)}
              <Link to="?import" className={buttonClass()}>
                {messages.import}
              </Link>
            </span>
          }
        >
          {messages.empty}
        </Empty>
      )}
      {(!accounts || (accounts.length === 0 && unread)) && (
        <NoData
          query={unread?.query ?? query}
          collection="accounts"
          messages={messages}
          loading={<SkeletonRows label={messages.loading} table />}
          offlineAction={toNew(messages.newAccount)}
        />
      )}
    </>
  )
}
