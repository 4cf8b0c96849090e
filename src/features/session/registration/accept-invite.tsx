import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { endpoints } from '../../../../contract/endpoints.ts'
import type { User } from '../../../../contract/schemas/people.ts'
import { sync } from '../../../sync/client.ts'
import { useConnection } from '../../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { useWhenShown } from '../../../ui/platform/use-when-shown.ts'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import type { Facts } from '../link-facts.tsx'
import { accountMessages } from './account-messages.ts'
import { registrationMessages as messages } from './registration-messages.ts'
import { useLostAnswer } from './use-lost-answer.ts'

interface AcceptInviteProps {
  user: User
  token: string
  facts: Facts
}

/** An invitation for a user who is signed in. */
export function AcceptInvite({ user, token, facts }: AcceptInviteProps) {
  const navigate = useNavigate()
  const whenShown = useWhenShown()
  const offline = useConnection() === 'offline'
  const mayBeDone = useLostAnswer()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const name = facts?.organisation?.name ?? ''
  const isMine = facts?.email === user.email || facts?.email === ''

  async function accept() {
    setBusy(true)
    setFailure(undefined)
    try {
      const joined = await sync()
        .call(endpoints.acceptOrganisationInvite, { body: { token } })
        .catch(joinedBefore)
      toast(messages.joined(joined.name))
      await whenShown(async () => {
        await sync().chooseOrganisation(joined)
        await navigate('/success-plans', { replace: true })
      })
    } catch (problem) {
      setFailure(errorMessage(problem))
      setBusy(false)
    }
  }

  /** The organisation, if an attempt whose answer was lost has made the user a member. */
  async function joinedBefore(problem: unknown) {
    const id = facts?.organisation?.id
    if (!mayBeDone(problem) || id === undefined) throw problem
    return await sync()
      .call(endpoints.getOrganisation, { path: { id } })
      .catch(() => {
        throw problem
      })
  }

  return (
    <>
      <PageHeading
        title={facts ? messages.invitedTitle(name) : accountMessages.resetExpiredTitle}
      />
      <p className="mt-1 text-ink-muted">{messages.acceptLead(user.name)}</p>
      <div className="mt-6 flex flex-col items-start gap-5">
        {failure && <Notice tone="danger">{failure}</Notice>}
        {facts && isMine ? (
          <Button
            variant="primary"
            busy={busy}
            unavailable={offline ? accountMessages.offline : undefined}
            onClick={() => void accept()}
          >
            {messages.accept(name)}
          </Button>
        ) : (
          <>
            <Notice tone="warn">
              {facts ? messages.otherAddress(facts.email) : messages.invitationExpired}
            </Notice>
            <Link to="/organisations" className={buttonClass()}>
              {messages.chooseOrganisation}
            </Link>
          </>
        )}
      </div>
    </>
  )
}
