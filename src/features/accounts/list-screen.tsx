import { FileUp, Plus, Search } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { paramsInUrl, useUrlText } from '../../ui/form/use-url-text.ts'
import { DataAge } from '../../widgets/screen-states/data-age.tsx'
import { FilteredList } from '../../widgets/screen-states/filtered-list.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { usePlans } from '../../data/success-plans/queries.ts'
import { AccountList } from './account-list.tsx'
import { useAccounts } from '../../data/accounts.ts'
import { readSelection, selectAccounts, SORTS } from './view.ts'
import { accountMessages as messages } from './messages.ts'

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
      <Suspense>
        <ImportAccounts />
      </Suspense>
    )
  return params.has('new') ? <NewAccount /> : <Accounts />
}

function NewAccount() {
  const navigate = useNavigate()
  return (
    <div className="mx-auto max-w-2xl">
      <BackLink to="/accounts">{messages.back}</BackLink>
      <PageHeading title={messages.newTitle} />
      <p className="mt-1 text-sm text-ink-muted">{messages.newLead}</p>
      <Suspense>
        <AccountForm
          onDone={(id) => navigate(`/accounts/${id}`, { replace: true })}
          onCancel={() => void navigate('/accounts', { replace: true })}
        />
      </Suspense>
    </div>
  )
}

function Accounts() {
  const { query, accounts } = useAccounts()
  const toNew = (label: string) => (
    <Link to="?new" className={buttonClass('primary')}>
      <Plus aria-hidden />
      {label}
    </Link>
  )
  return (
    <>
      <header className="flex items-center justify-between gap-x-4">
        <div className="min-w-0">
          <PageHeading title={messages.title} />
          <DataAge messages={messages} />
        </div>
        <div className="flex shrink-0 items-center gap-1">
          <Link
            to="?import"
            aria-label={messages.import}
            title={messages.import}
            className={`${buttonClass('quiet')} px-2.5!`}
          >
            <FileUp aria-hidden />
          </Link>
          {accounts && accounts.length > 0 && toNew(messages.newAccount)}
        </div>
      </header>
      {accounts && accounts.length > 0 && <AccountResults accounts={accounts} />}
      {accounts?.length === 0 && (
        <Empty title={messages.emptyTitle} action={toNew(messages.firstAccount)}>
          {messages.empty}
        </Empty>
      )}
      {!accounts && (
        <NoData
          query={query}
          messages={messages}
          loading={<SkeletonRows label={messages.loading} rows={8} />}
          offlineAction={toNew(messages.newAccount)}
        />
      )}
    </>
  )
}

function AccountResults({ accounts }: { accounts: readonly Account[] }) {
  const [params, setParams] = useSearchParams()
  const set = (name: string, value: string) => {
    const now = paramsInUrl()
    if (value) now.set(name, value)
    else now.delete(name)
    setParams(now, { replace: true })
  }
  const { sort, search: inUrl } = readSelection(params)
  const [search, type] = useUrlText(inUrl, (text) => set('search', text))
  const selected = useMemo(
    () => selectAccounts(accounts, { sort, search }),
    [accounts, sort, search],
  )
  const { plans } = usePlans()
  const planCounts = useMemo(() => {
    const counts = new Map<string, number>()
    for (const { account_id } of plans ?? [])
      if (account_id !== null) counts.set(account_id, (counts.get(account_id) ?? 0) + 1)
    return counts
  }, [plans])

  return (
    <>
      <search className="mt-4 mb-3 grid gap-2 sm:grid-cols-[minmax(0,1fr)_11.5rem]">
        <TextField
          type="search"
          label={messages.searchLabel}
          labelHidden
          placeholder={messages.searchLabel}
          leading={<Search />}
          value={search}
          onChange={(event) => type(event.target.value)}
        />
        <SelectField
          label={messages.sortLabel}
          labelHidden
          value={sort}
          onChange={(event) => set('sort', event.target.value)}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {messages.sorts[sort]}
            </option>
          ))}
        </SelectField>
      </search>
      <FilteredList shown={selected.length} all={accounts.length} messages={messages}>
        <AccountList accounts={selected} planCounts={planCounts} />
      </FilteredList>
    </>
  )
}
