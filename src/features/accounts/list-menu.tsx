import { Ellipsis, FileDown, FileUp, SquareCheck } from 'lucide-react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { useTableRoom } from '../../ui/platform/use-desktop.ts'
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
  const hasTable = useTableRoom()

  async function exportShown() {
    const selection = readSelection(params)
    const shown = filterAccounts(sortAccounts(accounts, selection, context), selection, context)
    const { saveAccounts } = await import('./accounts-csv.ts')
    await saveAccounts(shown, context)
  }

  return (
    <Menu
      label={messages.more}
      className={`${buttonClass('quiet')} px-2.5!`}
      items={[
        ...(hasTable
          ? []
          : [{ label: messages.select, icon: SquareCheck, onSelect: () => onSelecting(true) }]),
        {
          label: messages.export,
          icon: FileDown,
          onSelect: () => void exportShown().catch(() => toast(messages.exportFailed)),
        },
        { label: accountMessages.import, icon: FileUp, onSelect: () => void navigate('?import') },
      ]}
    >
      <Ellipsis aria-hidden />
    </Menu>
  )
}
