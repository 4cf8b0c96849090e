import { useState, type SubmitEvent } from 'react'
import { asksFor } from '../../../contract/rules.ts'
import { OUTCOMES, type PlanStatus, type SuccessPlan } from '../../../contract/success-plans.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextAreaField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { postUpdate } from './mutations.ts'
import { transitionWords as words, updateWords } from './words.ts'

interface StatusQuestionProps {
  plan: SuccessPlan
  to: PlanStatus
  /** What the transition is called. */
  name: string
  onClose: () => void
}

/** Asks for the note when work stops, or for the outcome when it is done. */
export function StatusQuestion({ plan, to, name, onClose }: StatusQuestionProps) {
  const [note, setNote] = useState('')
  const [outcome, setOutcome] = useState<(typeof OUTCOMES)[number]>('achieved')
  const [error, setError] = useState<string>()
  const asks = asksFor(to)

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (asks === 'note' && note.trim() === '') return setError(words.noteMissing)
    try {
      await postUpdate(plan.id, {
        status: to,
        body: note,
        ...(asks === 'outcome' && { outcome }),
      })
      toast(words.saved)
      onClose()
    } catch {
      setError(updateWords.full)
    }
    return undefined
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={name}
      description={plan.title}
      onSubmit={(event) => void submit(event)}
      actions={
        <>
          <Button onClick={onClose}>{words.keep}</Button>
          <Button type="submit" variant={to === 'cancelled' ? 'danger' : 'primary'}>
            {name}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {asks === 'outcome' && (
          <fieldset>
            <legend className="text-sm font-semibold">{words.outcome}</legend>
            <p className="text-sm text-ink-muted">{words.outcomeHint}</p>
            {OUTCOMES.map((one) => (
              <label
                key={one}
                className="flex min-h-9 items-center gap-2.5 text-sm coarse:min-h-11"
              >
                <input
                  type="radio"
                  name="outcome"
                  className="size-4"
                  checked={outcome === one}
                  onChange={() => setOutcome(one)}
                />
                {words.outcomes[one]}
              </label>
            ))}
          </fieldset>
        )}
        <TextAreaField
          label={words.note}
          hint={asks === 'note' ? words.noteHint : undefined}
          optional={asks !== 'note'}
          error={error}
          value={note}
          onChange={(event) => {
            setNote(event.target.value)
            setError(undefined)
          }}
          data-autofocus={asks === 'note' || undefined}
        />
      </div>
    </Dialog>
  )
}
