import { useState } from 'react'
import { endpoints } from '../../../contract/endpoints.ts'
import { validateForm } from '../../../contract/errors.ts'
import { OrganisationDraft, type Organisation } from '../../../contract/schemas/organisations.ts'
import { sync } from '../../sync/client.ts'
import { newId } from '../../sync/browser/new-id.ts'
import { useDraft } from '../../sync/react/use-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { errorMessage } from '../../widgets/editing/error-message.ts'
import { organisationMessages as messages } from './messages.ts'

interface NewOrganisationProps {
  onClose: () => void
  onCreated: (organisation: Organisation) => Promise<void>
}

/** Creates an organisation. Needs a network. */
export function NewOrganisation({ onClose, onCreated }: NewOrganisationProps) {
  const draft = useDraft('new-organisation')
  const [typed, setTyped] = useState<string>()
  const name = typed ?? draft.restored ?? ''
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [id] = useState(() => newId())

  async function create() {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const checked = validateForm(OrganisationDraft, { id, name, timezone: timeZone })
    if (!checked.ok) return setError(Object.values(checked.errors)[0]?.[0])
    setBusy(true)
    try {
      const created = await sync().call(endpoints.createOrganisation, { body: checked.value })
      draft.clear()
      await onCreated(created)
    } catch (problem) {
      setError(errorMessage(problem, messages.unreachable))
      setBusy(false)
    }
    return undefined
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={messages.createTitle}
      description={messages.createLead}
      onSubmit={create}
      actions={
        <>
          <Button onClick={onClose}>{messages.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {messages.submit}
          </Button>
        </>
      }
    >
      <TextField
        label={messages.name}
        value={name}
        hint={typed === undefined && name !== '' && messages.draftRestored}
        error={error}
        autoComplete="organization"
        onChange={(event) => {
          setTyped(event.target.value)
          draft.save(event.target.value)
          setError(undefined)
        }}
      />
    </Dialog>
  )
}
