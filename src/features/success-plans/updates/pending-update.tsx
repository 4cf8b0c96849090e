import { useEffect, useRef, useState } from 'react'
import type { endpoints } from '../../../../contract/endpoints.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { SuccessPlanUpdateDraft } from '../../../../contract/schemas/success-plans.ts'
import { validateForm } from '../../../../contract/errors.ts'
import { operationMessages } from '../../../data/operations/messages.ts'
import { sync } from '../../../sync/client.ts'
import type { Operation } from '../../../sync/core/operation.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { TextAreaField } from '../../../ui/form/field.tsx'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { PendingOperation } from '../../../widgets/operations/pending-operation.tsx'
import { updateMessages as messages } from '../plan-messages.ts'

type Posting = InputOf<typeof endpoints.postPlanUpdate>

interface PendingUpdateProps {
  operation: Operation
  editing: boolean
  /** It has left, or is about to, while it was edited. */
  isSent: boolean
  /** Called with the operation when it is opened for editing, and with undefined when that ends. */
  onEditing: (edited: Operation | undefined) => void
}

/** Actions for an update that is pending, rejected, or in conflict. */
export function PendingUpdate({ operation, editing, isSent, onEditing }: PendingUpdateProps) {
  if (editing)
    return <Editor operation={operation} isSent={isSent} onDone={() => onEditing(undefined)} />
  return (
    <PendingOperation operation={operation}>
      <Button variant="quiet" onClick={() => onEditing(operation)}>
        {messages.edit}
      </Button>
    </PendingOperation>
  )
}

interface EditorProps {
  operation: Operation
  isSent: boolean
  onDone: () => void
}

function Editor(props: EditorProps) {
  const draft = useDraft(`edit-update:${props.operation.id}`)
  if (draft.restored === undefined) return null
  return <Form key={draft.restored} {...props} draft={draft} />
}

interface FormProps extends EditorProps {
  draft: ReturnType<typeof useDraft>
}

function Form({ operation, isSent, draft, onDone }: FormProps) {
  const { body } = operation.input as Posting
  const [text, setText] = useState(draft.restored ?? body.body ?? '')
  const [restored, setRestored] = useState(draft.restored !== null)
  const [error, setError] = useState<string>()
  const [isRejected, setRejected] = useState(false)
  const isTooLate = isSent || (isRejected && operation.state !== 'attention')
  const form = useRef<HTMLFormElement>(null)
  // The form replaced the button that had the focus.
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  // The button that was pressed is removed.
  useEffect(() => {
    if (isRejected) form.current?.querySelector('textarea')?.focus()
  }, [isRejected])

  function close() {
    draft.clear()
    onDone()
  }

  async function save() {
    const checked = validateForm(SuccessPlanUpdateDraft, { ...body, body: text })
    if (!checked.ok) return setError(Object.values(checked.errors)[0]?.[0])
    try {
      const edited = await sync().outbox.edit(operation.id, checked.value, undefined, draft.key)
      if (edited) close()
      else setRejected(true)
    } catch (problem) {
      setError(errorMessage(problem))
    }
    return undefined
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isTooLate) void save()
      }}
      className="mt-3"
    >
      <TextAreaField
        label={messages.editLabel}
        hint={restored && messages.draftRestored}
        error={isTooLate ? messages.editTooLate : error}
        value={text}
        onChange={(event) => {
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
