import { FileUp } from 'lucide-react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { ListMenu as CommonMenu } from '../../widgets/table/list-menu.tsx'
import { useAccountContext } from './use-account-context.ts'
import { filterAccounts, readSelection, sortAccounts } from './view.ts'
import { accountListMessages as messages, accountMessages } from './messages.ts'

interface ListMenuProps {
  accounts: readonly Account[]
  /** Shows checkboxes in the list of phones. */
  onSelecting: (isSelecting: boolean) => void
}

/** Import and export of the list, and the start of a selection. */
export function ListMenu({ accounts, onSelecting }: ListMenuProps) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const context = useAccountContext()

  async function exportShown() {
    const selection = readSelection(params)
    const shown = filterAccounts(sortAccounts(accounts, selection, context), selection, context)
    const { saveAccounts } = await import('./accounts-csv.ts')
    await saveAccounts(shown, context)
  }

  return (
    <CommonMenu
      select={messages.select}
      onSelect={() => onSelecting(true)}
      onExport={exportShown}
      items={[
        { label: accountMessages.import, icon: FileUp, onSelect: () => void navigate('?import') },
      ]}
    />
  )
}
