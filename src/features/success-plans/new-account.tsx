import { AccountDraft } from '../../../contract/accounts.ts'
import { validate } from '../../../contract/errors.ts'
import { TextField } from '../../ui/field.tsx'
import { createAccount } from '../accounts/mutations.ts'
import { EditorDialog } from '../editing/editor-form.tsx'
import { useEditor } from '../editing/use-editor.tsx'
import { useCurrent } from '../session/queries.ts'
import { newAccountWords as words } from './plan-words.ts'

interface NewAccountProps {
  onClose: () => void
  onCreated: (id: string) => void
}

/** A new account while a plan is made: its name is enough, the rest is said on its own page. */
export function NewAccount({ onClose, onCreated }: NewAccountProps) {
  const current = useCurrent()
  const editor = useEditor({
    draft: 'account-of-new-plan',
    id: 'account',
    said: { name: '' },
    labels: { name: words.name },
    check: (fields) => validate(AccountDraft, fields),
    save: ({ name }) =>
      createAccount({
        name,
        owner_id: current?.user.id,
        currency: current?.organisation?.currency,
      }),
    done: onCreated,
  })
  return (
    <EditorDialog
      editor={editor}
      title={words.title}
      description={words.lead}
      action={words.create}
      onCancel={onClose}
    >
      <TextField {...editor.field('name')} autoComplete="off" />
    </EditorDialog>
  )
}
