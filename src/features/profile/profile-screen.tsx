import { useEffect, useState } from 'react'
import { endpoints } from '../../../contract/endpoints.ts'
import { sync } from '../../sync/client.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { PendingOwnChange } from '../../widgets/editing/pending-own-change.tsx'
import { useOwnOperations } from '../../data/queue-own-change.ts'
import { errorMessage } from '../../widgets/editing/error-message.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { ProfileForm } from './profile-form.tsx'
import { profileMessages as messages } from './messages.ts'

/** `/settings/profile` */
export function Component() {
  const user = useCurrentSession()?.user
  const operations = useOwnOperations('updateUserinfo')
  const [saved, setSaved] = useState(0)
  const id = user?.id

  // Refreshes the user from the server; if that fails, the stored one stays.
  useEffect(() => {
    if (id === undefined) return
    void sync()
      .call(endpoints.getUserinfo, {})
      .then((now) => sync().update(id, { user: now }))
      .catch(() => undefined)
  }, [id])

  if (!user) return null
  return (
    <div className="max-w-2xl">
      <header className="mb-7 flex items-center gap-4">
        <Avatar name={user.name} size="large" />
        <div className="min-w-0">
          <PageHeading title={messages.title} />
          <p className="mt-0.5 text-sm text-ink-muted">{messages.lead}</p>
        </div>
      </header>
      <ProfileForm
        key={`${saved} ${user.updated_at}`}
        user={user}
        onSaved={() => {
          toast(messages.saved)
          setSaved(saved + 1)
        }}
      />
      <PendingOwnChange operations={operations}>{messages.changed}</PendingOwnChange>
      <Password email={user.email} />
    </div>
  )
}

/** Changing the password uses the same link as a forgotten one. */
function Password({ email }: { email: string }) {
  const offline = useConnection() === 'offline'
  const [busy, setBusy] = useState(false)

  async function send() {
    setBusy(true)
    try {
      await sync().call(endpoints.forgotPassword, { body: { email } })
      toast(messages.passwordSent(email))
    } catch (problem) {
      toast(errorMessage(problem))
    }
    setBusy(false)
  }

  return (
    <section className="mt-12 border-t border-line pt-6">
      <h2 className="text-lg">{messages.password}</h2>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-64 text-sm text-pretty text-ink-muted">
          {messages.passwordText}
        </p>
        <Button
          busy={busy}
          unavailable={offline ? messages.passwordOffline : undefined}
          onClick={() => void send()}
        >
          {messages.passwordSend}
        </Button>
      </div>
    </section>
  )
}
