import { Ellipsis, FileDown, FileUp, ListChecks } from 'lucide-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { usePlans } from '../../../data/success-plans/queries.ts'
import { useViewContext } from '../use-view-context.ts'
import { readSelection, selectPlans } from './view.ts'
import { listMenuMessages as messages } from '../plan-messages.ts'

/** Import and export of the list. */
export function ListMenu() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { plans } = usePlans()
  const context = useViewContext()

  async function exportShown() {
    const shown = selectPlans(plans ?? [], readSelection(params), context)
    const { savePlans } = await import('./plans-csv.ts')
    savePlans(shown, context)
    toast(messages.exported(shown.length))
  }

  return (
    <>
      {plans && plans.length > 0 && (
        <Link to="?review" className={`${buttonClass()} max-sm:[&_svg]:hidden`}>
          <ListChecks aria-hidden />
          {messages.review}
        </Link>
      )}
      <Menu
        label={messages.more}
        className={`${buttonClass('quiet')} px-2.5!`}
        items={[
          {
            label: messages.exportShown,
            icon: FileDown,
            unavailable: plans && plans.length > 0 ? undefined : messages.nothingToExport,
            onSelect: () => void exportShown(),
          },
          { label: messages.import, icon: FileUp, onSelect: () => void navigate('?import') },
        ]}
      >
        <Ellipsis aria-hidden />
      </Menu>
    </>
  )
}
