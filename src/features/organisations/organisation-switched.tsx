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

/** The path of the list for that of a record: under the same id the other organisation may have another record. */
const withoutRecord = (path: string) =>
  path.replace(/^(\/(?:success-plans|accounts))\/(?!new\/?$).+$/, '$1')

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
