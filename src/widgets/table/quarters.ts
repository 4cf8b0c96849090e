// Quarters of a year, apart from the other groups, which a start loads. Pure.
import type { Messages } from '../../../contract/text/catalogue.ts'
import { fullDay } from '../../ui/text/dates.ts'
import type { Grouping } from './grouping.ts'

/** `Oct` of `2026-10`. */
const shortMonth = (month: string) => fullDay(`${month}-01`).slice(0, 3)

const quarterMessages = {
  /** By its first month, `YYYY-MM`. */
  title: (first: string) => {
    const [year = '', month] = first.split('-')
    const last = `${year}-${String(Number(month) + 2).padStart(2, '0')}`
    return `${shortMonth(first)} to ${shortMonth(last)} ${year}`
  },
} as const satisfies Messages

/** The first month of the quarter `offset` quarters after that of `day`, as `YYYY-MM`. */
export function quarterStart(day: string, offset = 0): string {
  const [year = 1970, month = 1] = day.split('-').map(Number)
  const start = new Date(Date.UTC(year, 3 * (Math.floor((month - 1) / 3) + offset), 1))
  return start.toISOString().slice(0, 7)
}

/** By a day's quarter. */
export const byQuarter = <T>(dayOf: (item: T) => string | null, without: string): Grouping<T> => ({
  keyOf: (item) => {
    const day = dayOf(item)
    return day === null ? null : quarterStart(day)
  },
  titleOf: quarterMessages.title,
  without,
  order: 'key',
})
