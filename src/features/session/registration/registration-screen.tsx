import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { AcceptInvite } from './accept-invite.tsx'
import { LinkFacts } from '../link-facts.tsx'
import { useConfiguration } from '../cached-config.ts'
import { linkToken } from '../link-token.ts'
import { useCurrentSession } from '../../../data/current-session.ts'
import { RegistrationForm } from './registration-form.tsx'
import { registrationMessages as messages } from './registration-messages.ts'

/** `/auth/registration`, with the token of an invitation in the fragment. */
export function Component() {
  const token = linkToken(useLocation().hash, 'invite')
  const current = useCurrentSession()
  const { registration } = useConfiguration()
  // Registration signs in before the form is finished, so the user at the start counts.
  const [user] = useState(current?.user)

  if (user && token === null)
    return (
      <>
        <PageHeading title={messages.signedIn} />
        <p className="mt-1 text-ink-muted">{messages.acceptLead(user.name)}</p>
        <Link to="/organisations" className={`${buttonClass('primary')} mt-6`}>
          {messages.chooseOrganisation}
        </Link>
      </>
    )
  if (token === null)
    return registration === undefined || registration === 'open' ? (
      <RegistrationForm />
    ) : (
      <Closed registration={registration} />
    )
  return (
    <LinkFacts key={token} kind="invite" token={token}>
      {(facts) =>
        !user && registration === 'closed' && facts?.email !== '' ? (
          <Closed registration={registration} />
        ) : user ? (
          <AcceptInvite user={user} token={token} facts={facts} />
        ) : (
          <RegistrationForm invite={facts ? { ...facts, token } : null} />
        )
      }
    </LinkFacts>
  )
}

function Closed({ registration }: { registration: keyof typeof messages.closed }) {
  return (
    <>
      <PageHeading title={messages.closedTitle} />
      <p className="mt-1 text-ink-muted">{messages.closed[registration]}</p>
      <Link to="/auth" className={`${buttonClass('primary')} mt-6`}>
        {messages.toSignIn}
      </Link>
    </>
  )
}
