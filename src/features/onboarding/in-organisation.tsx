import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { useCurrentSession } from '../../data/current-session.ts'
import { onboardingMessages as messages } from './messages.ts'

/** Renders steps that need an active organisation; without one, a link to that step. */
export function InOrganisation(props: { children: (organisation: Organisation) => ReactNode }) {
  const organisation = useCurrentSession()?.organisation
  // Another one can be opened without this screen, and what was typed must not be saved into it.
  if (organisation) return <Fragment key={organisation.id}>{props.children(organisation)}</Fragment>
  return (
    <Notice
      action={
        <Link to="?step=organisation" replace className={`${buttonClass()} -my-1`}>
          {messages.toOrganisation}
        </Link>
      }
    >
      {messages.firstOrganisation}
    </Notice>
  )
}

/** Shown when the step is already done, or this user may not do it. */
export function OrganisationReady({
  children,
  onContinue,
}: {
  children: ReactNode
  onContinue: () => void
}) {
  return (
    <div className="flex flex-col items-start gap-5">
      <p>{children}</p>
      <Button variant="primary" onClick={onContinue}>
        {messages.proceed}
      </Button>
    </div>
  )
}
