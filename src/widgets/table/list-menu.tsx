import { Ellipsis, FileDown, SquareCheck } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import type { MenuItem } from '../../ui/overlay/menu-panel.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { useTableRoom } from '../../ui/platform/use-desktop.ts'
import { listMenuMessages as messages } from './menu-messages.ts'

interface ListMenuProps {
  /** What the item says that begins a selection. */
  select: string
  /** Shows checkboxes in the list of phones; undefined while there is nothing to select. */
  onSelect: (() => void) | undefined
  /** Saves what the list shows as a file. */
  onExport: () => Promise<void>
  /** Why there is nothing to export. */
  noExport?: string | undefined
  /** Further items. */
  items?: readonly MenuItem[]
}

/** The menu of a list: on a phone the start of a selection, and the export. */
export function ListMenu({ select, onSelect, onExport, noExport, items }: ListMenuProps) {
  const hasTable = useTableRoom()
  return (
    <Menu
      label={messages.more}
      className={`${buttonClass('quiet')} px-2.5!`}
      items={[
        ...(hasTable || !onSelect ? [] : [{ label: select, icon: SquareCheck, onSelect }]),
        {
          label: messages.export,
          icon: FileDown,
          unavailable: noExport,
          onSelect: () => void onExport().catch(() => toast(messages.exportFailed)),
        },
        ...(items ?? []),
      ]}
    >
      <Ellipsis aria-hidden />
    </Menu>
  )
}
