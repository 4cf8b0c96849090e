// Days and instants in words. A day is `YYYY-MM-DD` and never goes through a time zone.
import { format } from 'date-fns/format'

/** A local Date at midnight of that calendar day, for formatting only. */
const localDate = (day: string) => {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date)
}

/** `Mar 1` (specification, section 2). */
export const shortDay = (day: string) => format(localDate(day), 'MMM d')

/** `Mar 1, 2026`, where the year may be in doubt. */
export const fullDay = (day: string) => format(localDate(day), 'MMM d, yyyy')

/** The device's own calendar day of an instant. */
const dayOf = (at: Date) => format(at, 'yyyy-MM-dd')

/** Whether two instants fall on one day of the device. */
export const sameDay = (a: string | number, b: string | number) =>
  dayOf(new Date(a)) === dayOf(new Date(b))

/** `13:40`, on the device's clock. */
export const clockTime = (instant: string | number) => format(new Date(instant), 'HH:mm')

/** `10:12` today, `yesterday 10:12`, else `Mar 3, 10:12`, with the year when it is another one. */
export function moment(instant: string | number, now = Date.now()): string {
  const at = new Date(instant)
  const day = dayOf(at)
  if (day === dayOf(new Date(now))) return clockTime(instant)
  if (day === dayOf(new Date(now - 86_400_000))) return `yesterday ${clockTime(instant)}`
  const sameYear = at.getFullYear() === new Date(now).getFullYear()
  return `${sameYear ? shortDay(day) : fullDay(day)}, ${clockTime(instant)}`
}

const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** `just now`, `12 minutes ago`, `yesterday`, `3 weeks ago`: for what only roughly matters. */
export function ago(instant: string | number, now = Date.now()): string {
  const minutes = Math.round((now - new Date(instant).getTime()) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return AGO.format(-minutes, 'minute')
  if (minutes < 24 * 60) return AGO.format(-Math.round(minutes / 60), 'hour')
  const days = Math.round(minutes / (24 * 60))
  if (days < 14) return AGO.format(-days, 'day')
  if (days < 70) return AGO.format(-Math.round(days / 7), 'week')
  return AGO.format(-Math.round(days / 30), 'month')
}
