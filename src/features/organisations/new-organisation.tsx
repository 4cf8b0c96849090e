import { validateForm } from '../../../contract/errors.ts'
import { OrganisationDraft } from '../../../contract/schemas/organisations.ts'
import { TextField } from '../../ui/form/field.tsx'
import { EditorDialog } from '../../widgets/editing/editor-form.tsx'
import { useEditor } from '../../widgets/editing/use-editor.tsx'
import { createOrganisation } from '../../data/organisations/create.ts'
import { openCreated } from '../../data/organisations/mutations.ts'
import { organisationMessages as messages } from './messages.ts'

interface NewOrganisationProps {
  onClose: () => void
  /** Called once it is open. */
  onCreated: () => Promise<void>
}

/** Creates an organisation. Needs a network. */
export function NewOrganisation({ onClose, onCreated }: NewOrganisationProps) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const editor = useEditor({
    draft: 'new-organisation',
    id: 'organisation',
    initial: { name: '' },
    labels: { name: messages.name },
    check: ({ name }) => validateForm(OrganisationDraft, { name, timezone: timeZone }),
    save: async (value, _changed, _seen, { new_id }) => ({
      created: await createOrganisation({ ...value, id: new_id }),
      name: value.name,
    }),
    done: async ({ created, name }) => {
      await openCreated(created, { name })
      await onCreated()
    },
  })
  return (
    <EditorDialog
      editor={editor}
      title={messages.createTitle}
      description={messages.createLead}
      action={messages.submit}
      onCancel={onClose}
    >
      <TextField {...editor.field('name')} autoComplete="organization" />
    </EditorDialog>
  )
}
