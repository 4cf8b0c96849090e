import { OpenedRecord } from '../../../ui/list/opened-record.tsx'
import { WhileAway } from '../../away/while-away.tsx'

/** What stands above the list; a record that the address opens is shown in place of both where it has no room. */
export const AboveList = () => (
  <>
    <OpenedRecord path="/success-plans" />
    <WhileAway />
  </>
)
