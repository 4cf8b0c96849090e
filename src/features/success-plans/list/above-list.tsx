import { OpenedRecord } from '../../../ui/list/opened-record.tsx'
import { WhileAway } from '../../away/while-away.tsx'

/** What is shown above the list. Where a record has no room beside the list, it takes the place of both. */
export const AboveList = () => (
  <>
    <OpenedRecord path="/success-plans" />
    <WhileAway />
  </>
)
