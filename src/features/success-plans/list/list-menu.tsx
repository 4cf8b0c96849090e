import { FileUp, ListChecks } from 'lucide-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { ListMenu as CommonMenu } from '../../../widgets/table/list-menu.tsx'
import { usePlans } from '../../../data/success-plans/queries.ts'
import { useViewContext } from '../use-view-context.ts'
import { countViews, readSelection, selectPlans, shownSelection } from './view.ts'
import { listMenuMessages as messages } from './messages.ts'

interface ListMenuProps {
  /** Shows checkboxes in the list of phones. */
  onSelecting: (isSelecting: boolean) => void
}

/** The review, import and export of the list, and the start of a selection. */
export function ListMenu({ onSelecting }: ListMenuProps) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { plans } = usePlans()
  const context = useViewContext()
  const hasPlans = plans !== undefined && plans.length > 0

  async function exportShown() {
    const all = plans ?? []
    const selection = shownSelection(readSelection(params), countViews(all, context))
    const { savePlans } = await import('./plans-csv.ts')
    await savePlans(selectPlans(all, selection, context), context)
  }

  return (
    <>
      {hasPlans && (
        <Link to="?review" className={`${buttonClass()} max-sm:[&_svg]:hidden`}>
          <ListChecks aria-hidden />
          {messages.review}
        </Link>
      )}
      <CommonMenu
        select={messages.select}
        onSelect={hasPlans ? () => onSelecting(true) : undefined}
        onExport={exportShown}
        noExport={hasPlans ? undefined : messages.nothingToExport}
        items={[{ label: messages.import, icon: FileUp, onSelect: () => void navigate('?import') }]}
      />
    </>
  )
}
