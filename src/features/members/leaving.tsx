import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { User } from '../../../contract/schemas/people.ts'
import { useConnection, useOperations } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { leaveOrganisation } from '../../data/organisations/mutations.ts'
import { memberMessages as messages } from './messages.ts'

const HandOverDialog = lazy(async () => ({
  default: (await import('./hand-over-dialog.tsx')).HandOverDialog,
}))

/** Lets a member leave the organisation; explains to the owner why they cannot. */
export function Leaving({ user, organisation }: { user: User; organisation: Organisation }) {
  const navigate = useNavigate()
  const offline = useConnection() === 'offline'
  const [asking, setAsking] = useState(false)
  const { name } = organisation
  const isOwner = user.id === organisation.user_id
  const unsent = useOperations().filter(
    ({ organisation_id, state }) => organisation_id !== null && state !== 'acknowledged',
  ).length

  async function leave(heir_id: string | undefined) {
    await leaveOrganisation(organisation, heir_id)
    toast(messages.left(name))
    await navigate('/organisations', { replace: true })
  }

  return (
    <section className="mt-12 border-t border-line pt-6">
      <h2 className="text-lg">{messages.leave}</h2>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-64 text-sm text-pretty text-ink-muted">
          {isOwner ? messages.ownerStays : messages.leaveText}
        </p>
        {!isOwner && (
          <Button
            unavailable={offline ? messages.offline : undefined}
            onClick={() => setAsking(true)}
          >
            {messages.leaveAction}
          </Button>
        )}
      </div>
      {asking && (
        <Suspense>
          <HandOverDialog
            user_id={user.id}
            isMe
            organisation={organisation}
            title={messages.leaveTitle(name)}
            action={messages.leaveConfirm}
            unavailable={offline ? messages.offline : undefined}
            onClose={() => setAsking(false)}
            onConfirm={leave}
          >
            <p>{messages.leaveLead}</p>
            {unsent > 0 && (
              <div className="mt-4">
                <Notice tone="warn">{messages.leaveUnsent(unsent)}</Notice>
              </div>
            )}
          </HandOverDialog>
        </Suspense>
      )}
    </section>
  )
}
