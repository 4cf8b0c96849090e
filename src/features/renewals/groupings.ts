import { byHealth, byMonth, byOwner, type Grouping } from '../../widgets/table/grouping.ts'
import { byQuarter } from '../../widgets/table/quarters.ts'
import { totalsOf, type DueRenewal } from './renewals.ts'
import { renewalMessages as messages } from './messages.ts'

const dayOf = ({ day }: DueRenewal) => day
const detailOf = (renewals: readonly DueRenewal[]) => messages.totals(totalsOf(renewals))

/** By a time, after those that have passed. */
const dueBy = (times: Grouping<DueRenewal>): Grouping<DueRenewal> => ({
  ...times,
  keyOf: (renewal) => (renewal.days < 0 ? '' : times.keyOf(renewal)),
  titleOf: (key) => (key === '' ? messages.passed : times.titleOf(key)),
  detailOf,
})

/** What the renewals can be grouped by: unless asked, by quarter. */
export const renewalGroupings = (
  personOf: (user_id: string) => string,
): Record<string, Grouping<DueRenewal>> => ({
  '': dueBy(byQuarter(dayOf, '')),
  month: dueBy(byMonth(dayOf, '')),
  owner: { ...byOwner(({ account }) => account.owner_id, personOf), detailOf },
  risk: {
    ...byHealth(({ risk }) => risk?.health ?? null),
    without: messages.noRisk,
    detailOf,
  },
})
