import { ChevronUp, Download } from 'lucide-react'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import type { MenuItem } from '../../../ui/overlay/menu-panel.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { useDesktop } from '../../../ui/platform/use-desktop.ts'
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
export function BulkFields({ menus, onEnd, onExport }: BulkFieldsProps) {
  const isDesktop = useDesktop()
  const save = () => void onExport().catch(() => toast(listMenuMessages.exportFailed))
  return (
    <>
      {/* On a phone in the first line, so that the fields fit into the second. */}
      {!isDesktop && (
        <Button
          icon
          variant="quiet"
          className="ms-auto"
          aria-label={messages.exportCsv}
          title={messages.exportCsv}
          onClick={save}
        >
          <Download aria-hidden />
        </Button>
      )}
      <div className={isDesktop ? 'contents' : 'flex w-full flex-wrap gap-x-1'}>
        {menus.map(({ label, items }) => (
          <Menu
            key={label}
            label={label}
            items={items}
            className={`${buttonClass('quiet')} px-2.5! max-sm:[&_svg]:hidden`}
          >
            {label}
            <ChevronUp aria-hidden />
          </Menu>
        ))}
        {onEnd && (
          <Button variant="quiet" className="px-2.5!" onClick={onEnd}>
            {messages.fields.end}
          </Button>
        )}
      </div>
      {isDesktop && (
        <Button variant="quiet" className="px-2.5!" onClick={save}>
          {messages.exportCsv}
        </Button>
      )}
    </>
  )
}
