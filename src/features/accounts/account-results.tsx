import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { paramsInUrl, useUrlText } from '../../ui/form/use-url-text.ts'
import type { SelectableRows, Selecting } from '../../ui/list/bulk/bulk-selection.tsx'
import { usePreview } from '../../ui/list/use-preview.ts'
import { FilteredList } from '../../widgets/screen-states/filtered-list.tsx'
import { AccountFilters } from './account-filters.tsx'
import { AccountList } from './account-list.tsx'
import { useAccountContext } from './use-account-context.ts'
import { filterAccounts, readSelection, sortAccounts } from './view.ts'
import { accountMessages } from './messages.ts'

const BulkAccounts = lazy(async () => ({
  default: (await import('./bulk/bulk-accounts.tsx')).BulkAccounts,
}))

const AccountPreview = lazy(async () => ({
  default: (await import('./detail/account-preview.tsx')).AccountPreview,
}))

interface AccountResultsProps extends Selecting {
  accounts: readonly Account[]
}

/** Search, filters, and the accounts that match. */
export function AccountResults({ accounts, ...selecting }: AccountResultsProps) {
  const [params, setParams] = useSearchParams()
  const [rows, setRows] = useState<SelectableRows>()
  const set = (change: Readonly<Record<string, string>>) => {
    const now = paramsInUrl()
    for (const [name, value] of Object.entries(change))
      if (value) now.set(name, value)
      else now.delete(name)
    setParams(now, { replace: true })
  }
  const selection = useMemo(() => readSelection(params), [params])
  const [search, type] = useUrlText(selection.search, (text) => set({ search: text }))
  const context = useAccountContext()
  const preview = usePreview()
  // Rendered after the row that was moved to.
  const open = useDeferredValue(preview?.id)
  const opened = useMemo(() => accounts.find(({ id }) => id === open), [accounts, open])
  const show = preview?.show
  const close = useCallback(() => show?.(undefined), [show])
  const { sort, reversed } = selection
  const sorted = useMemo(
    () => sortAccounts(accounts, { sort, reversed }, context),
    [accounts, sort, reversed, context],
  )
  const shown = useMemo(
    () => filterAccounts(sorted, selection, context),
    [sorted, selection, context],
  )
  return (
    <>
      <Suspense>
        <BulkAccounts
          shown={shown}
          all={accounts}
          context={context}
          onRows={setRows}
          {...selecting}
        />
      </Suspense>
      <AccountFilters
        selection={{ ...selection, search }}
        shown={shown.length}
        onSearch={type}
        onChange={set}
      />
      <FilteredList shown={shown.length} all={accounts.length} messages={accountMessages}>
        <div className={opened ? 'grid grid-cols-[minmax(0,1fr)_26rem] items-start gap-x-5' : ''}>
          <AccountList
            accounts={shown}
            context={context}
            selection={selection}
            onSort={(key) => set({ sort: key === sort && !reversed ? `-${key}` : key })}
            rows={rows}
            preview={preview}
          />
          {opened && (
            <Suspense>
              <AccountPreview key={opened.id} account={opened} onClose={close} />
            </Suspense>
          )}
        </div>
      </FilteredList>
    </>
  )
}
