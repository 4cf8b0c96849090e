import { useEffect, useRef, useState } from 'react'
import type { endpoints } from '../../../../contract/endpoints.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { SuccessPlanUpdateDraft } from '../../../../contract/schemas/success-plans.ts'
import { validateForm } from '../../../../contract/errors.ts'
import { sync } from '../../../sync/client.ts'
import type { Operation } from '../../../sync/core/operation.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/form/field.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { PendingOperation } from '../../../widgets/operations/pending-operation.tsx'
import { updateMessages as messages } from '../plan-messages.ts'

type Posting = InputOf<typeof endpoints.postPlanUpdate>

interface PendingUpdateProps {
  operation: Operation
  editing: boolean
  onEditing: (editing: boolean) => void
}

/** Actions for an update that is pending, rejected, or in conflict. */
export function PendingUpdate({ operation, editing, onEditing }: PendingUpdateProps) {
  if (editing) return <Editor operation={operation} onDone={() => onEditing(false)} />
  return (
    <PendingOperation operation={operation}>
      <Button variant="quiet" onClick={() => onEditing(true)}>
        {messages.edit}
      </Button>
    </PendingOperation>
  )
}

function Editor({ operation, onDone }: { operation: Operation; onDone: () => void }) {
  const draft = useDraft(`edit-update:${operation.id}`)
  if (draft.restored === undefined) return null
  return <Form key={draft.restored} operation={operation} draft={draft} onDone={onDone} />
}

interface FormProps {
  operation: Operation
  draft: ReturnType<typeof useDraft>
  onDone: () => void
}

function Form({ operation, draft, onDone }: FormProps) {
  const { body } = operation.input as Posting
  const [text, setText] = useState(draft.restored ?? body.body ?? '')
  const [restored, setRestored] = useState(draft.restored !== null)
  const [error, setError] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  // The form replaced the button that had the focus.
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])

  function close() {
    draft.clear()
    onDone()
  }

  async function save() {
    const checked = validateForm(SuccessPlanUpdateDraft, { ...body, body: text })
    if (!checked.ok) return setError(Object.values(checked.errors)[0]?.[0])
    try {
      const edited = await sync().outbox.edit(operation.id, checked.value, undefined, draft.key)
      // The text stays in the draft, and the card already shows the state of the original.
      if (!edited) return toast(messages.editTooLate)
      close()
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
        void save()
      }}
      className="mt-3"
    >
      <TextAreaField
        label={messages.editLabel}
        hint={restored && messages.draftRestored}
        error={error}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setRestored(false)
          setError(undefined)
          draft.save(event.target.value)
        }}
      />
      <div className="mt-2 flex flex-wrap gap-2">
        <Button type="submit" variant="primary">
          {operation.state === 'attention' ? messages.saveAndResend : messages.save}
        </Button>
        <Button variant="quiet" onClick={close}>
          {messages.cancel}
        </Button>
      </div>
    </form>
  )
}
