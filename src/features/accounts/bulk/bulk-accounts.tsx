import type { Account } from '../../../../contract/schemas/accounts.ts'
import { useKeeps } from '../../../sync/react/use-sync.ts'
import {
  BulkSelection,
  type BulkActionsProps,
  type SelectableRows,
  type Selecting,
} from '../../../ui/list/bulk/bulk-selection.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { BulkFields } from '../../../widgets/editing/many/bulk-fields.tsx'
import { changeManyMessages } from '../../../widgets/editing/messages.ts'
import { useAccountContext } from '../use-account-context.ts'
import { changeAccounts, type AccountChange, type BulkField } from './change-accounts.ts'
import { useChoices } from './use-choices.ts'
import { bulkAccountMessages as messages } from './messages.ts'

interface BulkAccountsProps extends Selecting {
  /** The accounts that the list shows, in its order. */
  shown: readonly Account[]
  all: readonly Account[]
  /** The fields that can be changed. */
  fields: readonly BulkField[]
  /** Gets what the rows of the list offer, again after each change. Stable. */
  onRows: (rows: SelectableRows) => void
}

/** Selects accounts of a list and changes them. */
export function BulkAccounts({ fields, ...props }: BulkAccountsProps) {
  return <BulkSelection label={messages.bar} Actions={BulkActions} context={fields} {...props} />
}

function BulkActions(props: BulkActionsProps<Account, readonly BulkField[]>) {
  const { selected: accounts, context: fields, focusBar } = props
  const keeps = useKeeps('accounts')
  const context = useAccountContext()
  const choices = useChoices(accounts, (change: AccountChange) => {
    // The button of the toast is gone after an undo.
    changeAccounts(accounts, change, focusBar).catch(() => toast(changeManyMessages.failed))
  })

  async function exportSelected() {
    const { saveAccounts } = await import('../accounts-csv.ts')
    await saveAccounts(accounts, context)
  }

  if (accounts.length === 0) return null
  return (
    <BulkFields
      menus={fields
        .filter(keeps)
        .map((field) => ({ label: messages.fields[field], items: choices[field] }))}
      onExport={exportSelected}
    />
  )
}
