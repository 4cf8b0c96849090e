import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { useKeeps } from '../../../sync/react/use-sync.ts'
import type { BulkActionsProps } from '../../../ui/list/bulk/bulk-selection.tsx'
import { BulkFields } from '../../../widgets/editing/many/bulk-fields.tsx'
import { manyMessages } from '../../../widgets/editing/many/messages.ts'
import type { ViewContext } from '../list/view.ts'
import { useChange } from './use-change.tsx'
import { useChoices } from './use-choices.ts'

const FIELDS = ['owner_id', 'status', 'health'] as const

/** What can be done with the selected plans. */
export function BulkActions(props: BulkActionsProps<SuccessPlan, ViewContext>) {
  const { selected: plans, context, focusBar } = props
  // The button of the toast is gone by then.
  const { choose, askEnd, dialog } = useChange(plans, focusBar)
  const choices = useChoices(plans, choose)
  const keeps = useKeeps('success_plans')

  async function exportSelected() {
    const { savePlans } = await import('../list/plans-csv.ts')
    await savePlans(plans, context)
  }

  return (
    <>
      {plans.length > 0 && (
        <BulkFields
          menus={FIELDS.filter(keeps).map((field) => ({
            label: manyMessages.fields[field],
            items: choices[field],
          }))}
          onEnd={keeps('end_date') ? askEnd : undefined}
          onExport={exportSelected}
        />
      )}
      {dialog}
    </>
  )
}
