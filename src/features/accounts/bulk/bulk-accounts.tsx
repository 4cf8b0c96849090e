import { ChevronUp } from 'lucide-react'
import type { Account } from '../../../../contract/schemas/accounts.ts'
import { useKeeps } from '../../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import {
  BulkSelection,
  type BulkActionsProps,
  type SelectableRows,
  type Selecting,
} from '../../../ui/list/bulk/bulk-selection.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { changeManyMessages } from '../../../widgets/editing/messages.ts'
import type { AccountContext } from '../view.ts'
import { changeAccounts, type AccountChange } from './change-accounts.ts'
import { useChoices } from './use-choices.ts'
import { accountListMessages } from '../messages.ts'
import { bulkAccountMessages as messages } from './messages.ts'

interface BulkAccountsProps extends Selecting {
  /** The accounts that the list shows, in its order. */
  shown: readonly Account[]
  all: readonly Account[]
  context: AccountContext
  /** Gets what the rows of the list offer, again after each change. Stable. */
  onRows: (rows: SelectableRows) => void
}

/** Selects accounts of the list and changes them. */
export function BulkAccounts(props: BulkAccountsProps) {
  return <BulkSelection label={messages.bar} Actions={BulkActions} {...props} />
}

function BulkActions(props: BulkActionsProps<Account, AccountContext>) {
  const { selected: accounts, context, focusBar } = props
  const keeps = useKeeps('accounts')
  const choices = useChoices(accounts, (change: AccountChange) => {
    // The button of the toast is gone after an undo.
    changeAccounts(accounts, change, focusBar).catch(() => toast(changeManyMessages.failed))
  })

  async function exportSelected() {
    try {
      const { saveAccounts } = await import('../accounts-csv.ts')
      await saveAccounts(accounts, context)
    } catch {
      toast(accountListMessages.exportFailed)
    }
  }

  if (accounts.length === 0) return null
  return (
    <>
      {(['owner_id', 'status', 'tier', 'health'] as const).filter(keeps).map((field) => (
        <Menu
          key={field}
          label={messages.fields[field]}
          items={choices[field]}
          className={`${buttonClass('quiet')} px-2.5!`}
        >
          {messages.fields[field]}
          <ChevronUp aria-hidden />
        </Menu>
      ))}
      <Button variant="quiet" className="px-2.5!" onClick={() => void exportSelected()}>
        {messages.exportCsv}
      </Button>
    </>
  )
}
