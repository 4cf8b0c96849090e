import { useEffect, useRef, useState } from 'react'
import type { endpoints } from '../../../../contract/endpoints.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import {
  EMPTY_UPDATE,
  repeatsStatus,
  SuccessPlanUpdateDraft,
  type SuccessPlan,
} from '../../../../contract/schemas/success-plans.ts'
import { validateForm } from '../../../../contract/errors.ts'
import { operationMessages } from '../../../data/operations/messages.ts'
import { overlayPlan } from '../../../data/success-plans/overlay.ts'
import { sync } from '../../../sync/client.ts'
import type { Operation } from '../../../sync/core/operation.ts'
import { replicaOf } from '../../../sync/react/query-options.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { TextAreaField } from '../../../ui/form/field.tsx'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { PendingOperation } from '../../../widgets/operations/pending-operation.tsx'
import { updateMessages as messages } from '../plan-messages.ts'
import { editDraftName, renameEarlierDrafts } from './left-text.tsx'
import { withOwnProgress } from './update-draft.ts'

type Posting = InputOf<typeof endpoints.postPlanUpdate>

interface PendingUpdateProps {
  operation: Operation
  editing: boolean
  /** It has left, or is about to, while it was edited. */
  isSent: boolean
  /** Called with the operation that is being edited, also once it is saved; with undefined when that ends. */
  onEditing: (edited: Operation | undefined) => void
}

/** Actions for an update that is pending, rejected, or in conflict. */
export function PendingUpdate({ operation, editing, isSent, onEditing }: PendingUpdateProps) {
  // Before it is edited.
  useEffect(() => void renameEarlierDrafts().catch(() => undefined), [])
  if (editing) return <Editor operation={operation} isSent={isSent} onEditing={onEditing} />
  return (
    <PendingOperation operation={operation}>
      <Button variant="quiet" onClick={() => onEditing(operation)}>
        {messages.edit}
      </Button>
    </PendingOperation>
  )
}

type EditorProps = Omit<PendingUpdateProps, 'editing'>

function Editor({ onEditing, ...props }: EditorProps) {
  // As it was opened: what another tab saves meanwhile is not replaced. Each save of its own makes a new id.
  const [id, setId] = useState(props.operation.id)
  const { path, body } = props.operation.input as Posting
  const draft = useDraft(editDraftName(path.id, body.id ?? props.operation.id))
  if (draft.restored === undefined) return null
  const change = (edited: Operation | undefined) => {
    if (edited) setId(edited.id)
    onEditing(edited)
  }
  return <Form key={draft.restored} {...props} id={id} draft={draft} onEditing={change} />
}

/** The server may have the update already, or another tab has changed it. */
class TooLate extends Error {}

/** The plan as the update will find it: with what waits before it. Null where it is not on the device. */
async function planBefore(operation: Operation): Promise<SuccessPlan | null> {
  const { user_id, organisation_id, seq, input } = operation
  const replica = await replicaOf({ user_id, organisation_id: organisation_id ?? '' })
  const { id } = (input as Posting).path
  const stored = (await replica.record('success_plans', id)) as SuccessPlan | null | undefined
  const before = sync()
    .operations.get()
    .filter((one) => one.organisation_id === organisation_id && one.seq < seq)
  return overlayPlan(stored ?? null, id, before)
}

interface FormProps extends EditorProps {
  /** Of the operation that is edited. */
  id: string
  draft: ReturnType<typeof useDraft>
}

function Form({ operation, id, isSent, draft, onEditing }: FormProps) {
  const { body } = operation.input as Posting
  const [text, setText] = useState(draft.restored ?? body.body ?? '')
  const [restored, setRestored] = useState(draft.restored !== null)
  const [error, setError] = useState<string>()
  const [isRejected, setRejected] = useState(false)
  const isBack = operation.id === id && operation.state === 'attention'
  const isTooLate = isSent || (isRejected && !isBack)
  const latest = useRef(text)
  const isSaving = useRef(false)
  const form = useRef<HTMLFormElement>(null)
  // The form replaced the button that had the focus.
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  // The button that was pressed is removed.
  useEffect(() => {
    if (isRejected) form.current?.querySelector('textarea')?.focus()
  }, [isRejected])

  function close() {
    draft.clear()
    onEditing(undefined)
  }

  async function save() {
    isSaving.current = true
    try {
      const plan = await planBefore(operation)
      const checked = validateForm(
        SuccessPlanUpdateDraft,
        withOwnProgress(plan, { ...body, body: text }),
      )
      if (!checked.ok) return setError(Object.values(checked.errors)[0]?.[0])
      if (plan && repeatsStatus(plan, checked.value)) return setError(EMPTY_UPDATE)
      const saved = await draft.submit(async (key) => {
        const edited = await sync().outbox.edit(id, checked.value, undefined, key)
        if (!edited) throw new TooLate()
        return edited
      })
      if (latest.current === text) return close()
      onEditing(saved)
    } catch (problem) {
      if (problem instanceof TooLate) setRejected(true)
      else setError(errorMessage(problem))
    } finally {
      isSaving.current = false
    }
    return undefined
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isTooLate && !isSaving.current) void save()
      }}
      className="mt-3"
    >
      <TextAreaField
        label={messages.editLabel}
        hint={restored && messages.draftRestored}
        error={isTooLate ? messages.editTooLate : error}
        value={text}
        onChange={(event) => {
          latest.current = event.target.value
          setText(event.target.value)
          setRestored(false)
          setError(undefined)
          draft.save(event.target.value)
        }}
      />
      <div className="mt-2 flex flex-wrap gap-2">
        {isTooLate ? (
          <CopyButton
            text={text}
            label={operationMessages.copy}
            done={operationMessages.copied}
            failed={operationMessages.copyFailed}
          />
        ) : (
          <Button type="submit" variant="primary">
            {operation.state === 'attention' ? messages.saveAndResend : messages.save}
          </Button>
        )}
        <Button variant="quiet" onClick={close}>
          {isTooLate ? messages.discardText : messages.cancel}
        </Button>
      </div>
    </form>
  )
}
