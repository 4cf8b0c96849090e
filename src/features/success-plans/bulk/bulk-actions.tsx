import { ChevronUp } from 'lucide-react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { useKeeps } from '../../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import type { BulkActionsProps } from '../../../ui/list/bulk/bulk-selection.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import type { ViewContext } from '../list/view.ts'
import { storedAs } from './edited-field.ts'
import { useChange } from './use-change.tsx'
import { useChoices } from './use-choices.ts'
import { listMenuMessages } from '../list/messages.ts'
import { bulkMessages as messages } from './messages.ts'

const FIELDS = ['owner', 'status', 'health'] as const

/** What can be done with the selected plans. */
export function BulkActions(props: BulkActionsProps<SuccessPlan, ViewContext>) {
  const { selected: plans, context, focusBar } = props
  // The button of the toast is gone by then.
  const { choose, askEnd, dialog } = useChange(plans, focusBar)
  const choices = useChoices(plans, choose)
  const keeps = useKeeps('success_plans')

  async function exportSelected() {
    try {
      const { savePlans } = await import('../list/plans-csv.ts')
      await savePlans(plans, context)
    } catch {
      toast(listMenuMessages.exportFailed)
    }
  }

  return (
    <>
      {plans.length > 0 && (
        <>
          {FIELDS.filter((field) => keeps(storedAs(field))).map((field) => (
            <Menu
              key={field}
              label={messages[field]}
              items={choices[field]}
              className={`${buttonClass('quiet')} px-2.5!`}
            >
              {messages[field]}
              <ChevronUp aria-hidden />
            </Menu>
          ))}
          {keeps('end_date') && (
            <Button variant="quiet" className="px-2.5!" onClick={askEnd}>
              {messages.endDate}
            </Button>
          )}
          <Button variant="quiet" className="px-2.5!" onClick={() => void exportSelected()}>
            {messages.exportCsv}
          </Button>
        </>
      )}
      {dialog}
    </>
  )
}
