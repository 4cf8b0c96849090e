import { useState } from 'react'
import type { Initiative } from '../../../../contract/schemas/initiatives.ts'
import type { InitiativeWork } from '../../../data/initiatives.ts'
import { useKeeps } from '../../../sync/react/use-sync.ts'
import type { BulkActionsProps } from '../../../ui/list/bulk/bulk-selection.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { BulkFields } from '../../../widgets/editing/many/bulk-fields.tsx'
import { EndDialog } from '../../../widgets/editing/many/end-dialog.tsx'
import { manyMessages } from '../../../widgets/editing/many/messages.ts'
import { splitRecords, type RecordChange } from '../../../widgets/editing/many/record-change.ts'
import { useRecordChoices } from '../../../widgets/editing/many/use-record-choices.ts'
import { changeManyMessages } from '../../../widgets/editing/messages.ts'
import type { RowContext } from '../initiative-table.tsx'
import { changeInitiatives } from './change-initiatives.ts'
import { StatusQuestion, type StatusOfMany } from './status-question.tsx'
import { bulkInitiativeMessages as messages } from './messages.ts'

const FIELDS = ['owner_id', 'status', 'health'] as const

/** What is asked before initiatives are changed. They are those of the moment of the choice. */
interface Question {
  initiatives: readonly Initiative[]
  asked: StatusOfMany | 'end'
}

/** What can be done with the selected initiatives. */
export function BulkActions(props: BulkActionsProps<InitiativeWork & { id: string }, RowContext>) {
  const { selected, context, focusBar } = props
  const initiatives = selected.map(({ initiative }) => initiative)
  const keeps = useKeeps('initiatives')
  const [question, setQuestion] = useState<Question>()
  const choices = useRecordChoices(initiatives, choose)

  function choose(change: RecordChange) {
    if (change.kind === 'status' && splitRecords(initiatives, change).leftOut.length > 0)
      return setQuestion({ initiatives, asked: change })
    // The button of the toast is gone after an undo.
    changeInitiatives(initiatives, change, focusBar).catch(() => toast(changeManyMessages.failed))
    return undefined
  }

  async function exportSelected() {
    const { saveInitiatives } = await import('../initiatives-csv.ts')
    await saveInitiatives(selected, context)
  }

  const asking = question && {
    records: question.initiatives,
    countOf: messages.initiatives,
    save: (change: RecordChange) => changeInitiatives(question.initiatives, change, focusBar),
    onClose: () => setQuestion(undefined),
  }
  return (
    <>
      {initiatives.length > 0 && (
        <BulkFields
          menus={FIELDS.filter(keeps).map((field) => ({
            label: manyMessages.fields[field],
            items: choices[field],
          }))}
          onEnd={keeps('end_date') ? () => setQuestion({ initiatives, asked: 'end' }) : undefined}
          onExport={exportSelected}
        />
      )}
      {asking &&
        (question.asked === 'end' ? (
          <EndDialog {...asking} />
        ) : (
          <StatusQuestion {...asking} change={question.asked} />
        ))}
    </>
  )
}
