// When a user's working day begins: digests and reminders are sent in the morning.
import { dayInTimeZone } from '../../contract/rules.ts'

/** The hours of the morning: a server that was away in the first one makes up for it. */
const MORNING_HOURS = { from: 7, to: 12 }
const MONDAY = 'Mon'
const WEEKEND = ['Sat', 'Sun']

/** The working day that begins in a time zone, if it is morning there. */
export function morningIn(
  timeZone: string,
  now: Date,
): { day: string; isMonday: boolean } | undefined {
  const format = (options: Intl.DateTimeFormatOptions) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone, ...options }).format(now)
    } catch {
      return new Intl.DateTimeFormat('en', { timeZone: 'UTC', ...options }).format(now)
    }
  }
  const hour = Number(format({ hour: 'numeric', hourCycle: 'h23' }))
  if (hour < MORNING_HOURS.from || hour >= MORNING_HOURS.to) return undefined
  const weekday = format({ weekday: 'short' })
  if (WEEKEND.includes(weekday)) return undefined
  return { day: dayInTimeZone(timeZone, now), isMonday: weekday === MONDAY }
}
