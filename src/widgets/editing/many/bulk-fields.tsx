import { ChevronUp } from 'lucide-react'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import type { MenuItem } from '../../../ui/overlay/menu-panel.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { listMenuMessages } from '../../table/menu-messages.ts'
import { manyMessages as messages } from './messages.ts'

interface BulkFieldsProps {
  /** The fields whose values are chosen from a menu. */
  menus: readonly { label: string; items: MenuItem[] }[]
  /** Asks for another end date; undefined where there is none. */
  onEnd?: (() => void) | undefined
  /** Saves the selected records as a file. */
  onExport: () => Promise<void>
}

/** In the bar of selected records: what is changed, and the export. */
export const BulkFields = ({ menus, onEnd, onExport }: BulkFieldsProps) => (
  <>
    {menus.map(({ label, items }) => (
      <Menu key={label} label={label} items={items} className={`${buttonClass('quiet')} px-2.5!`}>
        {label}
        <ChevronUp aria-hidden />
      </Menu>
    ))}
    {onEnd && (
      <Button variant="quiet" className="px-2.5!" onClick={onEnd}>
        {messages.fields.end}
      </Button>
    )}
    <Button
      variant="quiet"
      className="px-2.5!"
      onClick={() => void onExport().catch(() => toast(listMenuMessages.exportFailed))}
    >
      {messages.exportCsv}
    </Button>
  </>
)
