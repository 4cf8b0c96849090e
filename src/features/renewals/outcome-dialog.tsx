import { RENEWAL_OUTCOMES, type Account } from '../../../contract/schemas/accounts.ts'
import { editRecord } from '../../data/change-records.ts'
import { SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { EditorDialog } from '../../widgets/editing/editor-form.tsx'
import { WeekendHint } from '../../widgets/editing/weekend-hint.tsx'
import { useEditor } from '../../widgets/editing/use-editor.tsx'
import { blankOutcome, checkOutcome, editFor } from './outcome-fields.ts'
import { outcomeMessages as messages } from './messages.ts'

interface OutcomeDialogProps {
  account: Account
  /** The renewal date that is up. */
  due: string
  onClose: () => void
}

/** Asks what became of a renewal. Works offline. */
export function OutcomeDialog({ account, due, onClose }: OutcomeDialogProps) {
  const editor = useEditor({
    draft: `renewal:${account.id}`,
    id: 'renewal',
    initial: blankOutcome(account, due),
    record: account,
    labels: messages.fields,
    check: (fields) => checkOutcome(fields, due, account.currency),
    save: (outcome, _changed, seen = account, form) =>
      editRecord('accounts', seen, editFor(seen, outcome), form),
    done: onClose,
  })
  const { field, fields } = editor
  const { outcome } = fields
  return (
    <EditorDialog
      editor={editor}
      title={messages.title}
      description={messages.due(account.name, due)}
      action={messages.save}
      onCancel={onClose}
    >
      <SelectField {...field('outcome')}>
        {RENEWAL_OUTCOMES.map((one) => (
          <option key={one} value={one}>
            {messages.outcomes[one]}
          </option>
        ))}
      </SelectField>
      {outcome === 'renewed' && (
        <TextField
          {...field('amount')}
          hint={messages.amountHint(account.currency)}
          inputMode="decimal"
          autoComplete="off"
          optional
        />
      )}
      {outcome === 'churned' ? (
        <p className="text-sm text-ink-muted">{messages.churnedHint}</p>
      ) : (
        <div>
          <TextField {...field('next_date')} type="date" />
          <WeekendHint day={fields.next_date} onMove={(next_date) => editor.set({ next_date })} />
        </div>
      )}
      <TextAreaField {...field('note')} optional />
    </EditorDialog>
  )
}
