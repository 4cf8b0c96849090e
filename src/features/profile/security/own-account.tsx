import { useState } from 'react'
import { endpoints } from '../../../../contract/endpoints.ts'
import { sync } from '../../../sync/client.ts'
import { useAllOperations } from '../../../sync/react/use-sync.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { saveTextFile } from '../../../ui/platform/save-text-file.ts'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { ConfirmForm } from './confirm-form.tsx'
import { Setting, useBusy, useOfflineReason } from './security-section.tsx'
import { securityMessages as messages } from './security-messages.ts'

/** The user's data as a file, and deleting the account. */
export function OwnAccount() {
  const [isOpen, setOpen] = useState(false)
  const [busy, run] = useBusy()
  const offline = useOfflineReason()
  const unsent = useAllOperations().filter(({ state }) => state !== 'acknowledged').length

  const download = () =>
    run(async () => {
      try {
        const data = await sync().call(endpoints.getOwnData, {})
        saveTextFile(messages.ownDataFile, JSON.stringify(data, null, 2), 'application/json')
      } catch (problem) {
        toast(errorMessage(problem))
      }
    })
  const save = (
    <Button busy={busy} unavailable={offline} onClick={download}>
      {messages.downloadOwnData}
    </Button>
  )

  return (
    <Setting
      title={messages.ownAccount}
      text={messages.ownAccountText}
      action={
        !isOpen && (
          <div className="flex flex-wrap gap-3">
            {save}
            <Button unavailable={offline} onClick={() => setOpen(true)}>
              {messages.deleteAccount}
            </Button>
          </div>
        )
      }
    >
      {isOpen && (
        <ConfirmForm
          action={messages.deleteAccountNow}
          isDangerous
          work={async () => {
            await sync().call(endpoints.deleteUserinfo, {})
            // What is still unsent has no author any more.
            await sync().signOut('discard')
          }}
          onDone={() => toast(messages.accountDeleted)}
          onCancel={() => setOpen(false)}
        >
          <p>{messages.deleteAccountText}</p>
          {unsent > 0 && <p>{messages.deleteUnsent(unsent)}</p>}
          <div>{save}</div>
        </ConfirmForm>
      )}
    </Setting>
  )
}
