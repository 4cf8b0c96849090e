import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { useConnection, useOperations } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { errorMessage } from '../../widgets/editing/error-message.ts'
import { editingMessages } from '../../widgets/editing/messages.ts'
import { generalMessages as messages } from './general-messages.ts'
import { deleteOrganisation } from '../../data/organisations/mutations.ts'

interface DeleteOrganisationProps {
  organisation: Organisation
  onClose: () => void
}

/** Asks for the organisation's name, then deletes it at once for all members. */
export function DeleteOrganisation({ organisation, onClose }: DeleteOrganisationProps) {
  const navigate = useNavigate()
  const offline = useConnection() === 'offline'
  const unsent = useOperations().filter(
    ({ organisation_id, state }) => organisation_id !== null && state !== 'acknowledged',
  ).length
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const unclosable = busy ? editingMessages.inProgress : undefined

  async function confirm() {
    // Keyboards of phones add a space after a word that they propose.
    if (name.trim() !== organisation.name.trim()) return setError(messages.deleteNameMismatch)
    setBusy(true)
    setFailure(undefined)
    try {
      await deleteOrganisation(organisation, organisation.name)
      toast(messages.deleted(organisation.name))
      await navigate('/organisations', { replace: true })
    } catch (problem) {
      setFailure(errorMessage(problem))
      setBusy(false)
    }
    return undefined
  }

  return (
    <Dialog
      open
      onClose={onClose}
      unclosable={unclosable}
      role="alertdialog"
      title={messages.deleteTitle(organisation.name)}
      description={messages.deleteLead}
      onSubmit={confirm}
      actions={
        <>
          <Button unavailable={unclosable} onClick={onClose}>
            {messages.keep}
          </Button>
          <Button
            type="submit"
            variant="danger"
            busy={busy}
            unavailable={offline ? messages.deleteOffline : undefined}
          >
            {messages.deleteConfirm}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {unsent > 0 && <Notice tone="warn">{messages.deleteUnsent(unsent)}</Notice>}
        <TextField
          label={messages.deleteRepeat(organisation.name)}
          value={name}
          error={error}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setName(event.target.value)
            setError(undefined)
          }}
        />
        {failure && <Notice tone="danger">{failure}</Notice>}
      </div>
    </Dialog>
  )
}
