import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { LeftOutList } from '../../../widgets/editing/many/left-out.tsx'
import { manyMessages as messages, type CountOf } from '../../../widgets/editing/many/messages.ts'
import {
  splitRecords,
  type ChangeableRecord,
  type RecordChange,
} from '../../../widgets/editing/many/record-change.ts'

/** A status for several records. */
export type StatusOfMany = Extract<RecordChange, { kind: 'status' }>

interface StatusQuestionProps {
  records: readonly ChangeableRecord[]
  change: StatusOfMany
  countOf: CountOf
  save: (change: StatusOfMany) => Promise<void>
  onClose: () => void
}

/** Names the records whose status stays as it is, before the others get the new one. */
export function StatusQuestion({ records, change, countOf, save, onClose }: StatusQuestionProps) {
  const [failure, setFailure] = useState<string>()
  const { changed, leftOut } = splitRecords(records, change)
  const count = countOf(changed.length)

  async function submit() {
    try {
      await save(change)
      onClose()
    } catch (problem) {
      setFailure(errorMessage(problem))
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={messages.statusTitle(change.status, count)}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{messages.cancel}</Button>
          <Button type="submit" variant={change.status === 'cancelled' ? 'danger' : 'primary'}>
            {messages.change(count)}
          </Button>
        </>
      }
    >
      <LeftOutList records={leftOut} change={change} countOf={countOf} />
      {failure && <p className="mt-4 text-sm text-danger-ink">{failure}</p>}
    </Dialog>
  )
}
