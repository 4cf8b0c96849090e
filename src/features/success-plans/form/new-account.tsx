import { AccountDraft } from '../../../../contract/schemas/accounts.ts'
import { validateForm } from '../../../../contract/errors.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { createRecord } from '../../../data/change-records.ts'
import { EditorDialog } from '../../../widgets/editing/editor-form.tsx'
import { useEditor } from '../../../widgets/editing/use-editor.tsx'
import { useCurrentSession } from '../../../data/current-session.ts'
import { newAccountMessages as messages } from '../plan-messages.ts'

interface NewAccountProps {
  onClose: () => void
  onCreated: (id: string) => void
}

/** Creates an account while a plan is created: only its name is needed. */
export function NewAccount({ onClose, onCreated }: NewAccountProps) {
  const current = useCurrentSession()
  const editor = useEditor({
    draft: 'account-of-new-plan',
    id: 'account',
    initial: { name: '' },
    labels: { name: messages.name },
    check: (fields) => validateForm(AccountDraft, fields),
    save: ({ name }, _changed, _seen, { draft }) =>
      createRecord(
        'accounts',
        { name, owner_id: current?.user.id, currency: current?.organisation?.currency },
        draft,
      ),
    done: onCreated,
  })
  return (
    <EditorDialog
      editor={editor}
      title={messages.title}
      description={messages.lead}
      action={messages.create}
      onCancel={onClose}
    >
      <TextField {...editor.field('name')} autoComplete="off" />
    </EditorDialog>
  )
}
