import type { Messages } from '../../../contract/text/catalogue.ts'
import { LOCALE } from '../../../contract/text/locale.ts'
import { fullDay } from '../../ui/text/dates.ts'

const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `Oct` of `2026-10`. */
const shortMonth = (month: string) => fullDay(`${month}-01`).slice(0, 3)

/** The headings of groups, and what filters call records without a value. */
export const groupMessages = {
  /** `YYYY-MM`. */
  month: (month: string) => MONTH.format(Date.parse(`${month}-01`)),
  /** By its first month, `YYYY-MM`. */
  quarter: (first: string) => {
    const [year = '', month] = first.split('-')
    const last = `${year}-${String(Number(month) + 2).padStart(2, '0')}`
    return `${shortMonth(first)} to ${shortMonth(last)} ${year}`
  },
  without: {
    health: 'Not rated',
    owner: 'No owner',
    account: 'No account',
    month: 'No end date',
  },
  unknown: 'Unknown account',
} as const satisfies Messages
