import { Plus } from 'lucide-react'
import { useId, useRef, useState, type SubmitEvent } from 'react'
import { ActionDraft } from '../../../contract/schemas/actions.ts'
import { validateForm } from '../../../contract/errors.ts'
import { useDraft } from '../../sync/react/use-draft.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { editingMessages } from '../../widgets/editing/messages.ts'
import { createRecord } from '../../data/change-records.ts'
import { actionMessages as messages } from './messages.ts'

interface AddActionProps {
  /** Title of the record it is added to. */
  of: string
  /** The parent records and the position of the new action. */
  target: Pick<ActionDraft, 'success_plan_id' | 'initiative_id' | 'position'>
}

/** A text field at the end of a list of actions: Enter adds one and clears the field for the next. */
export function AddAction({ of, target }: AddActionProps) {
  const id = useId()
  const draft = useDraft(`new-action:${target.initiative_id ?? `plan:${target.success_plan_id}`}`)
  const [typed, setTyped] = useState<string>()
  const [error, setError] = useState<string>()
  const title = typed ?? draft.restored ?? ''
  const current = useRef('')

  function show(text: string) {
    current.current = text
    setTyped(text)
  }

  function change(text: string) {
    show(text)
    setError(undefined)
    draft.save(text)
  }

  async function add(event: SubmitEvent) {
    event.preventDefault()
    const checked = validateForm(ActionDraft, { ...target, title })
    if (!checked.ok) return setError(Object.values(checked.errors)[0]?.[0])
    show('')
    try {
      await draft.submit((key) => createRecord('actions', checked.value, key))
    } catch {
      // In front of what was typed meanwhile.
      change([title, current.current].filter((text) => text !== '').join(' '))
      setError(messages.failed)
    }
    return undefined
  }

  return (
    <form
      noValidate
      onSubmit={(event) => void add(event)}
      className="flex items-start gap-2 py-2 print:hidden"
    >
      <div className="min-w-0 grow">
        <TextField
          id={id}
          label={messages.addTo(of)}
          labelHidden
          placeholder={messages.add}
          leading={<Plus />}
          autoComplete="off"
          enterKeyHint="done"
          value={title}
          error={error}
          hint={typed === undefined && draft.restored ? editingMessages.draftRestored : undefined}
          onChange={(event) => change(event.target.value)}
          onKeyDown={(event) => {
            // Held, it would submit the emptied field.
            if (event.key === 'Enter' && event.repeat) event.preventDefault()
          }}
        />
      </div>
      {title.trim() !== '' && (
        <Button type="submit" className="min-h-10">
          {messages.addButton}
        </Button>
      )}
    </form>
  )
}
