import type { Messages } from '../../../contract/text/catalogue.ts'
import { LOCALE } from '../../../contract/text/locale.ts'

const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The headings of groups, and what filters call records without a value. */
export const groupMessages = {
  /** `YYYY-MM`. */
  month: (month: string) => MONTH.format(Date.parse(`${month}-01`)),
  without: {
    health: 'Not rated',
    owner: 'No owner',
    account: 'No account',
    month: 'No end date',
  },
  unknown: 'Unknown account',
} as const satisfies Messages
