import { useEffect, useRef, useState } from 'react'
import type { endpoints } from '../../../contract/endpoints.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { SuccessPlanUpdateDraft } from '../../../contract/success-plans.ts'
import { validate } from '../../../contract/errors.ts'
import { sync } from '../../sync/client.ts'
import type { Operation } from '../../sync/operation.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextAreaField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { DiscardDialog } from '../operations/discard-dialog.tsx'
import { serverWords } from '../operations/waiting-operation.tsx'
import { postUpdate } from './mutations.ts'
import { updateWords as words } from './words.ts'

type Posting = InputOf<typeof endpoints.postPlanUpdate>

interface WaitingUpdateProps {
  operation: Operation
  editing: boolean
  onEditing: (editing: boolean) => void
}

/** What can be done with an update that was not sent yet, or was refused. */
export function WaitingUpdate({ operation, editing, onEditing }: WaitingUpdateProps) {
  const { path, body } = operation.input as Posting
  const refused = operation.state === 'attention'
  const [asking, setAsking] = useState(false)

  async function undo() {
    await sync().outbox.discard(operation.id)
    const { id: _id, ...draft } = body
    toast(words.undone, {
      label: words.putBack,
      onSelect: () => void postUpdate(path.id, draft).catch(() => toast(words.failed)),
    })
  }

  return (
    <div className="mt-3">
      {refused && operation.last_error && (
        <p className="mb-2 text-sm text-glow-ink">
          {words.serverSaid(serverWords(operation.last_error))}
        </p>
      )}
      {editing ? (
        <Editor operation={operation} refused={refused} onDone={() => onEditing(false)} />
      ) : (
        <div className="-ms-3.5 flex flex-wrap">
          <Button variant="quiet" onClick={() => onEditing(true)}>
            {words.edit}
          </Button>
          {body.body && (
            <CopyButton
              text={body.body}
              label={words.copyShort}
              done={words.copied}
              refused={words.copyFailed}
            />
          )}
          {refused ? (
            <>
              <Button variant="quiet" onClick={() => void sync().outbox.resend(operation.id)}>
                {words.resend}
              </Button>
              <Button variant="quiet" onClick={() => setAsking(true)}>
                {words.discard}
              </Button>
            </>
          ) : (
            <Button variant="quiet" onClick={() => void undo()}>
              {words.undo}
            </Button>
          )}
        </div>
      )}
      <DiscardDialog operation={operation} open={asking} onClose={() => setAsking(false)} />
    </div>
  )
}

function Editor(props: { operation: Operation; refused: boolean; onDone: () => void }) {
  const { operation, refused, onDone } = props
  const { body } = operation.input as Posting
  const [text, setText] = useState(body.body ?? '')
  const [error, setError] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  // The field takes the place of the button that was pressed.
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])

  async function save() {
    const checked = validate(SuccessPlanUpdateDraft, { ...body, body: text })
    if (!checked.ok) return setError(Object.values(checked.errors)[0]?.[0])
    try {
      await sync().outbox.edit(operation.id, checked.value)
      onDone()
    } catch {
      setError(words.failed)
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
    >
      <TextAreaField
        label={words.editLabel}
        error={error}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="mt-2 flex flex-wrap gap-2">
        <Button type="submit" variant="primary">
          {refused ? words.saveAndResend : words.save}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {words.cancel}
        </Button>
      </div>
    </form>
  )
}
