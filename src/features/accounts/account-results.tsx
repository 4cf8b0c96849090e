import { lazy, Suspense, useMemo, useState } from 'react'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { useCurrentIds, useRecordKeys } from '../../data/record-id.ts'
import { BesideList } from '../../ui/list/beside-list.tsx'
import type { SelectableRows, Selecting } from '../../ui/list/bulk/bulk-selection.tsx'
import { useOpened } from '../../ui/list/use-preview.ts'
import { FilteredList } from '../../widgets/screen-states/filtered-list.tsx'
import { useListAddress } from '../../widgets/table/list-address.ts'
import { useTableView } from '../../widgets/table/use-table-view.ts'
import { AccountFilters } from './account-filters.tsx'
import { AccountList } from './account-list.tsx'
import { accountGroupings } from './groupings.ts'
import { useAccountContext } from './use-account-context.ts'
import { filterAccounts, readSelection, sortAccounts, SORTS } from './view.ts'
import { accountMessages } from './messages.ts'

const BulkAccounts = lazy(async () => ({
  default: (await import('./bulk/bulk-accounts.tsx')).BulkAccounts,
}))

const AccountPreview = lazy(async () => ({
  default: (await import('./detail/account-preview.tsx')).AccountPreview,
}))

const BULK_FIELDS = ['owner_id', 'status', 'tier', 'health'] as const

interface AccountResultsProps extends Selecting {
  accounts: readonly Account[]
}

/** Search, filters, and the accounts that match. */
export function AccountResults({ accounts, ...selecting }: AccountResultsProps) {
  const address = useListAddress()
  const [rows, setRows] = useState<SelectableRows>()
  const selection = useMemo(() => readSelection(address.params), [address.params])
  const context = useAccountContext()
  const { preview, opened, close } = useOpened(accounts, useCurrentIds())
  const keyOf = useRecordKeys('accounts')
  const { sort, reversed } = selection
  const sorted = useMemo(
    () => sortAccounts(accounts, { sort, reversed }, context),
    [accounts, sort, reversed, context],
  )
  const shown = useMemo(
    () => filterAccounts(sorted, selection, context),
    [sorted, selection, context],
  )
  const groupings = useMemo(() => accountGroupings(context), [context])
  const { items, groups, isShown } = useTableView(address.params, shown, groupings)
  return (
    <>
      <Suspense>
        <BulkAccounts
          shown={items}
          all={accounts}
          fields={BULK_FIELDS}
          onRows={setRows}
          {...selecting}
        />
      </Suspense>
      <AccountFilters address={address} shown={shown.length} />
      <FilteredList shown={shown.length} all={accounts.length} messages={accountMessages}>
        <BesideList
          pane={
            opened && <AccountPreview key={keyOf(opened.id)} account={opened} onClose={close} />
          }
        >
          <AccountList
            accounts={items}
            groups={groups}
            isShown={isShown}
            context={context}
            selection={selection}
            onSort={(key) => address.sortBy(key, SORTS)}
            rows={rows}
            preview={preview}
          />
        </BesideList>
      </FilteredList>
    </>
  )
}
