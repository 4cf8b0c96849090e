import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Organisation } from '../../../contract/organisations.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useCurrent } from '../session/queries.ts'
import { onboardingWords as words } from './words.ts'

/** What can only be done inside an organisation; without one, the way to it. */
export function InOrganisation(props: { children: (organisation: Organisation) => ReactNode }) {
  const organisation = useCurrent()?.organisation
  if (organisation) return props.children(organisation)
  return (
    <Notice
      action={
        <Link to="?step=organisation" replace className={`${buttonClass()} -my-1`}>
          {words.toOrganisation}
        </Link>
      }
    >
      {words.firstOrganisation}
    </Notice>
  )
}

/** What a step asks for is there already, or not for this user to do. */
export function There({ children, onGoOn }: { children: ReactNode; onGoOn: () => void }) {
  return (
    <div className="flex flex-col items-start gap-5">
      <p>{children}</p>
      <Button variant="primary" onClick={onGoOn}>
        {words.goOn}
      </Button>
    </div>
  )
}
