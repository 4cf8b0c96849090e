import { Ellipsis, FileDown, FileUp, ListChecks, SquareCheck } from 'lucide-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { useTableRoom } from '../../../ui/platform/use-desktop.ts'
import { usePlans } from '../../../data/success-plans/queries.ts'
import { useViewContext } from '../use-view-context.ts'
import { readSelection, selectPlans } from './view.ts'
import { listMenuMessages as messages } from './messages.ts'

interface ListMenuProps {
  /** Shows checkboxes in the list of phones. */
  onSelecting: (isSelecting: boolean) => void
}

/** Import and export of the list, and the start of a selection. */
export function ListMenu({ onSelecting }: ListMenuProps) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { plans } = usePlans()
  const context = useViewContext()
  const hasTable = useTableRoom()
  const hasPlans = plans !== undefined && plans.length > 0

  async function exportShown() {
    const shown = selectPlans(plans ?? [], readSelection(params), context)
    const { savePlans } = await import('./plans-csv.ts')
    await savePlans(shown, context)
  }

  return (
    <>
      {hasPlans && (
        <Link to="?review" className={`${buttonClass()} max-sm:[&_svg]:hidden`}>
          <ListChecks aria-hidden />
          {messages.review}
        </Link>
      )}
      <Menu
        label={messages.more}
        className={`${buttonClass('quiet')} px-2.5!`}
        items={[
          ...(hasTable || !hasPlans
            ? []
            : [
                {
                  label: messages.select,
                  icon: SquareCheck,
                  onSelect: () => onSelecting(true),
                },
              ]),
          {
            label: messages.exportShown,
            icon: FileDown,
            unavailable: hasPlans ? undefined : messages.nothingToExport,
            onSelect: () => void exportShown().catch(() => toast(messages.exportFailed)),
          },
          { label: messages.import, icon: FileUp, onSelect: () => void navigate('?import') },
        ]}
      >
        <Ellipsis aria-hidden />
      </Menu>
    </>
  )
}
