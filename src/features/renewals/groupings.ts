import { byHealth, byOwner, type Grouping } from '../../widgets/table/grouping.ts'
import { byQuarter } from '../../widgets/table/quarters.ts'
import { totalsOf, type DueRenewal } from './renewals.ts'
import { renewalMessages as messages } from './messages.ts'

const QUARTERS = byQuarter<DueRenewal>(({ day }) => day, '')
const detailOf = (renewals: readonly DueRenewal[]) => messages.totals(totalsOf(renewals))

/** What the renewals can be grouped by: unless asked, by quarter, after those that have passed. */
export const renewalGroupings = (
  personOf: (user_id: string) => string,
): Record<string, Grouping<DueRenewal>> => ({
  '': {
    ...QUARTERS,
    keyOf: (renewal) => (renewal.days < 0 ? '' : QUARTERS.keyOf(renewal)),
    titleOf: (key) => (key === '' ? messages.passed : QUARTERS.titleOf(key)),
    detailOf,
  },
  owner: { ...byOwner(({ account }) => account.owner_id, personOf), detailOf },
  risk: {
    ...byHealth(({ risk }) => risk?.health ?? null),
    without: messages.noRisk,
    detailOf,
  },
})
