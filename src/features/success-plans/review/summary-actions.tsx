import { useState } from 'react'
import { validateForm } from '../../../../contract/errors.ts'
import { isPlanOpen } from '../../../../contract/rules.ts'
import {
  SuccessPlanUpdateDraft,
  type SuccessPlan,
} from '../../../../contract/schemas/success-plans.ts'
import { useCurrentIds } from '../../../data/record-id.ts'
import { postUpdate } from '../../../data/success-plans/post-update.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { SelectField } from '../../../ui/form/field.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { compareText } from '../../../ui/text/format.ts'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { useNames } from '../use-names.ts'
import { mailLink, updateText } from './summary-text.ts'
import { reviewMessages as messages } from './messages.ts'

interface SummaryActionsProps {
  /** The summary as Markdown. */
  text: string
  day: string
  plans: readonly SuccessPlan[]
}

/** Copies, mails or posts the summary. */
export function SummaryActions({ text, day, plans }: SummaryActionsProps) {
  const [posting, setPosting] = useState(false)
  const open = plans.filter(isPlanOpen).toSorted((a, b) => compareText(a.title, b.title))
  return (
    <div className="-ms-3.5 mt-5 flex flex-wrap gap-2">
      <CopyButton
        text={text}
        label={messages.copy}
        done={messages.copied}
        failed={messages.copyFailed}
      />
      <a href={mailLink(messages.textTitle(day), text)} className={buttonClass('quiet')}>
        {messages.mail}
      </a>
      {open.length > 0 && (
        <Button variant="quiet" onClick={() => setPosting(true)}>
          {messages.post}
        </Button>
      )}
      {posting && <PostDialog text={text} plans={open} onClose={() => setPosting(false)} />}
    </div>
  )
}

interface PostDialogProps {
  text: string
  plans: readonly SuccessPlan[]
  onClose: () => void
}

function PostDialog({ text, plans, onClose }: PostDialogProps) {
  const [chosen, setPlan] = useState(plans[0]?.id ?? '')
  const plan_id = useCurrentIds()(chosen)
  const nameOf = useNames()
  const [error, setError] = useState<string>()
  const body = updateText(text)

  async function submit() {
    const plan = plans.find(({ id }) => id === plan_id)
    if (!plan) return undefined
    const checked = validateForm(SuccessPlanUpdateDraft, { body })
    if (!checked.ok) return setError(Object.values(checked.errors)[0]?.[0])
    try {
      await postUpdate(plan, checked.value)
      toast(messages.summaryPosted(plan.title))
      onClose()
    } catch (problem) {
      setError(errorMessage(problem))
    }
    return undefined
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={messages.post}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{messages.cancel}</Button>
          <Button type="submit" variant="primary">
            {messages.postAction}
          </Button>
        </>
      }
    >
      <SelectField
        label={messages.postTo}
        hint={body === text ? messages.postHint : `${messages.postHint} ${messages.tooLong}`}
        error={error}
        value={plan_id}
        onChange={(event) => setPlan(event.target.value)}
      >
        {plans.map(({ id, title, account_id }) => (
          <option key={id} value={id}>
            {messages.planOf(title, nameOf('accounts', account_id))}
          </option>
        ))}
      </SelectField>
    </Dialog>
  )
}
