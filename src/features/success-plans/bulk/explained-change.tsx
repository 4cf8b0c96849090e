import { requiredForTransition } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { LeftOutList } from '../../../widgets/editing/many/left-out.tsx'
import { manyMessages, namedRecords } from '../../../widgets/editing/many/messages.ts'
import { splitRecords, type RecordChange } from '../../../widgets/editing/many/record-change.ts'
import { transitionMessages } from '../plan-messages.ts'
import { transitionName } from '../transition-name.ts'
import { NoteDialog } from '../updates/note-dialog.tsx'
import type { Outcome } from '../updates/note-draft.ts'
import type { PlanChange } from './plan-change.ts'
import { bulkMessages as messages } from './messages.ts'

/** The change that is to be explained. */
export type AskedChange = Extract<RecordChange, { kind: 'status' | 'health' }>

interface ExplainedChangeProps {
  plans: readonly SuccessPlan[]
  asked: AskedChange
  /** Saves the change and deletes the draft. */
  save: (change: PlanChange, draft?: string[]) => Promise<void>
  onClose: () => void
}

/**
 * Asks once for the note or the outcome of a change of one or many plans, and names those that it leaves out.
 */
export function ExplainedChange({ plans, asked, save, onClose }: ExplainedChangeProps) {
  const isStatus = asked.kind === 'status'
  const to = isStatus ? asked.status : asked.health
  const [only] = plans
  const isOne = plans.length === 1 && only !== undefined
  const asks = isStatus ? requiredForTransition(asked.status) : 'note'
  const missing = isStatus ? transitionMessages.noteMissing : messages.healthNoteMissing
  const changeWith = (body: string, outcome?: Outcome): PlanChange => ({
    ...asked,
    body,
    ...(outcome && { outcome }),
  })
  const { changed, leftOut } = splitRecords(plans, changeWith(''))
  const title = !isStatus
    ? messages.healthTitle(asked.health, namedRecords(changed, messages.plans))
    : isOne
      ? transitionName(only.status, asked.status)
      : manyMessages.statusTitle(asked.status, messages.plans(changed.length))

  return (
    <NoteDialog
      draft={`${asked.kind}:${isOne ? only.id : 'many'}:${to}`}
      title={title}
      description={isOne && isStatus ? only.title : undefined}
      label={transitionMessages.note}
      hint={isOne ? messages.noteForOne : messages.noteForMany}
      missing={asks === 'note' ? missing : undefined}
      actions={{
        cancel: transitionMessages.keep,
        save: isOne && isStatus ? title : manyMessages.change(messages.plans(changed.length)),
        variant: to === 'cancelled' ? 'danger' : 'primary',
      }}
      asksOutcome={asks === 'outcome'}
      isShared={!isOne}
      save={(note, draft, outcome) => save(changeWith(note, outcome), draft)}
      onClose={onClose}
      after={<LeftOutList records={leftOut} change={asked} countOf={messages.plans} />}
    />
  )
}
