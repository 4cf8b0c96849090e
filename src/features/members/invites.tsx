import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import type { Invite } from '../../../contract/schemas/invites.ts'
import { useCapability, useConnection } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { EmailText } from '../../ui/text/email-text.tsx'
import { errorMessage } from '../../widgets/editing/error-message.ts'
import { AnswerAge } from '../../widgets/screen-states/answer-age.tsx'
import { Quiet } from '../../widgets/status/tags.tsx'
import { invite, invitesQuery, revokeInvite } from '../../data/members.ts'
import { mailToast } from '../session/mail-notice.tsx'
import { inviteMessages as messages, memberMessages } from './messages.ts'

/** Open invitations; nothing at a server without a list of them. */
export function Invites() {
  return useCapability('invites') ? <OpenInvites /> : null
}

/** Nothing if there are none. */
function OpenInvites() {
  const query = useQuery(invitesQuery())
  const [failure, setFailure] = useState<string>()
  const offline = useConnection() === 'offline'

  if (query.isError && !query.data && !offline)
    return (
      <div className="mt-8">
        <Notice
          action={<Button onClick={() => void query.refetch()}>{memberMessages.retry}</Button>}
        >
          {messages.failed}
        </Notice>
      </div>
    )
  if (!query.data || (query.data.length === 0 && failure === undefined)) return null
  return (
    <section className="mt-10">
      <h2 className="text-lg">{messages.open}</h2>
      <AnswerAge query={query} />
      {failure !== undefined && (
        <div className="mt-3">
          <Notice tone="danger">{failure}</Notice>
        </div>
      )}
      <ul aria-label={messages.listLabel} className="mt-2 border-t border-line">
        {query.data.map((one) => (
          <li key={one.id} className="border-b border-line">
            <InviteRow
              invite={one}
              onFailed={setFailure}
              onChanged={async () => void (await query.refetch())}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface InviteRowProps {
  invite: Invite
  onFailed: (why: string | undefined) => void
  onChanged: () => Promise<void>
}

function InviteRow({ invite: one, onFailed, onChanged }: InviteRowProps) {
  const { email, role, status, expires_at } = one
  const unavailable = useConnection() === 'offline' ? messages.offline : undefined
  const [busy, setBusy] = useState<'resend' | 'revoke'>()

  async function run(what: 'resend' | 'revoke', work: () => Promise<void>) {
    setBusy(what)
    onFailed(undefined)
    try {
      await work()
    } catch (problem) {
      onFailed(errorMessage(problem))
    }
    await onChanged()
    setBusy(undefined)
  }

  /** A lost link cannot be shown again, so a new invitation replaces it. */
  async function resend() {
    await revokeInvite(one)
    try {
      await invite({ email, role: role === 'admin' ? 'admin' : 'member' })
    } catch (problem) {
      return onFailed(messages.resendFailed(email, errorMessage(problem)))
    }
    return toast(mailToast(messages.sent(email)))
  }

  async function revoke() {
    await revokeInvite(one)
    toast(messages.revoked(email))
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <span className="grid size-8 shrink-0 place-items-center rounded-full border border-dashed border-edge text-ink-faint">
        <Mail aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1 basis-44">
        <p className="text-sm font-semibold">
          <EmailText email={email} />
        </p>
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-muted">
          {messages.as[role] ?? role}
          {status === 'expired' ? (
            <Quiet>{messages.expired}</Quiet>
          ) : (
            expires_at && <span className="text-ink-faint">· {messages.until(expires_at)}</span>
          )}
        </p>
      </div>
      <div className="-me-3.5 ms-auto flex">
        <Button
          variant="quiet"
          aria-label={messages.resendTo(email)}
          busy={busy === 'resend'}
          unavailable={unavailable}
          onClick={() => void run('resend', resend)}
        >
          {messages.resend}
        </Button>
        <Button
          variant="quiet"
          aria-label={messages.revokeOf(email)}
          busy={busy === 'revoke'}
          unavailable={unavailable}
          onClick={() => void run('revoke', revoke)}
        >
          {messages.revoke}
        </Button>
      </div>
    </div>
  )
}
