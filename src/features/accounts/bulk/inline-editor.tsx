import type { Account } from '../../../../contract/schemas/accounts.ts'
import { toast } from '../../../ui/overlay/toast.tsx'
import { cellEditor, CellPopover } from '../../../widgets/editing/many/cell-editor.tsx'
import { changeManyMessages } from '../../../widgets/editing/messages.ts'
import { useAccountContext } from '../use-account-context.ts'
import { changeAccounts, type BulkField } from './change-accounts.ts'
import { useChoices } from './use-choices.ts'

/** Edits a cell of a table of accounts beside it. */
export const InlineEditor = cellEditor<Account, readonly BulkField[]>(function OpenEditor(props) {
  const { record: account, field, anchor, refocus } = props
  const { personOf } = useAccountContext()
  const accounts = [account]
  const choices = useChoices(accounts, (change) => {
    changeAccounts(accounts, change, refocus).catch(() => toast(changeManyMessages.failed))
  })
  return (
    <CellPopover
      record={{ ...account, title: account.name }}
      field={field}
      anchor={anchor}
      owner={account.owner_id === null ? undefined : personOf(account.owner_id)}
      choices={choices}
    />
  )
})
