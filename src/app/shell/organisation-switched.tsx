import { useLocation, useNavigate } from 'react-router'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { sync } from '../../sync/client.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { switchMessages as messages } from './switch-messages.ts'

interface OrganisationSwitchedProps {
  /** The organisation that this tab showed. */
  left: Organisation
  /** The organisation that another tab opened. */
  active: Organisation
}

/** The part of a path before the first id: a record of one organisation is not in the other. */
const withoutRecord = (path: string) => path.replace(/\/[\da-f]{8}-[\da-f-]{27}.*$/i, '') || '/'

/** Says that another tab opened another organisation, and offers to go on there or to switch back. */
export function OrganisationSwitched({ left, active }: OrganisationSwitchedProps) {
  const navigate = useNavigate()
  const { pathname } = useLocation()

  async function goOn() {
    await navigate(withoutRecord(pathname), { replace: true })
    await sync().chooseOrganisation(active)
  }

  return (
    <>
      <PageHeading title={messages.title(active.name)} className="sr-only" />
      <Empty
        title={messages.title(active.name)}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button onClick={() => void goOn()}>{messages.goOn(active.name)}</Button>
            <Button variant="primary" onClick={() => void sync().chooseOrganisation(left)}>
              {messages.switchBack(left.name)}
            </Button>
          </div>
        }
      >
        {messages.text(left.name)}
      </Empty>
    </>
  )
}
