import type { Account } from '../../../../contract/schemas/accounts.ts'
import { useKeeps } from '../../../sync/react/use-sync.ts'
import type { BulkActionsProps } from '../../../ui/list/bulk/bulk-selection.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { BulkFields } from '../../../widgets/editing/many/bulk-fields.tsx'
import { changeManyMessages } from '../../../widgets/editing/messages.ts'
import { useAccountContext } from '../use-account-context.ts'
import { changeAccounts, type AccountChange, type BulkField } from './change-accounts.ts'
import { useChoices } from './use-choices.ts'
import { bulkAccountMessages as messages } from './messages.ts'

/** What can be done with the selected accounts. */
export function BulkActions(props: BulkActionsProps<Account, readonly BulkField[]>) {
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
