import { ACCOUNT_STATUSES, type Account } from '../../../contract/schemas/accounts.ts'
import { byHealth, byMonth, byOwner, type Grouping } from '../../widgets/table/grouping.ts'
import { byQuarter } from '../../widgets/table/quarters.ts'
import { TIER_ORDER, type AccountContext } from './view.ts'
import { accountListMessages as messages, accountMessages } from './messages.ts'

const dayOf = ({ renewal_date }: Account) => renewal_date

/** What the table of accounts can be grouped by. */
export const accountGroupings = ({
  personOf,
}: AccountContext): Record<string, Grouping<Account>> => ({
  status: {
    keyOf: ({ status }) => status,
    titleOf: accountMessages.enumLabel,
    without: '',
    order: ACCOUNT_STATUSES,
  },
  tier: {
    keyOf: ({ tier }) => tier,
    titleOf: accountMessages.enumLabel,
    without: messages.noTier,
    order: TIER_ORDER,
  },
  owner: byOwner(({ owner_id }) => owner_id, personOf),
  quarter: byQuarter(dayOf, messages.renewals.none),
  month: byMonth(dayOf, messages.renewals.none),
  health: byHealth(({ health }) => health),
})
