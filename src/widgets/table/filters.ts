// What filters of lists compare. Pure.
import { daysBetween, isPlanOpen } from '../../../contract/rules.ts'

/** As a status: all that is open. As any other filter: records without a value. */
export const OPEN = 'open'
export const NONE = 'none'

/** End dates: passed, within 30 and within 90 days, none. */
export const ENDS = ['passed', '30', '90', NONE] as const

/** Whether a value is the one of a filter; empty for all. */
export const matches = (filter: string, value: string | null): boolean =>
  filter === '' || (value ?? NONE) === filter

/** The same of a status. */
export const matchesStatus = (filter: string, record: { status: string }): boolean =>
  filter === OPEN ? isPlanOpen(record) : matches(filter, record.status)

/** The same of a day: passed, or within that many days. */
export function matchesDay(filter: string, day: string | null, today: string): boolean {
  if (filter === '' || day === null) return matches(filter, day)
  if (filter === ENDS[0]) return day < today
  return day >= today && daysBetween(today, day) <= Number(filter)
}
