// Days and instants as text. A day is `YYYY-MM-DD` and is never converted between time zones. Uses the
// browser's `Intl`, because date-fns' `format` would add its locale data to the bundle.
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays'
import { LOCALE } from '../../../contract/text/locale.ts'

// A formatter keeps the zone in which it was created, and devices travel, so days are formatted in UTC.
const dayFormat = (style: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(LOCALE, { ...style, timeZone: 'UTC' })
  return (year: number, month: number, day: number) => format.format(Date.UTC(year, month, day))
}
const MONTH_DAY = dayFormat({ month: 'short', day: 'numeric' })
const FULL = dayFormat({ month: 'short', day: 'numeric', year: 'numeric' })
const WEEKDAY = dayFormat({ weekday: 'long' })

const parts = (day: string) => {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  return [year, month - 1, date] as const
}

/** `Saturday`. */
export const weekdayOf = (day: string) => WEEKDAY(...parts(day))

/** `Mar 1` whatever the year: for the list of plans alone (specification, section 2). */
export const monthDay = (day: string) => MONTH_DAY(...parts(day))

/** `Mar 1, 2026`, where another year is possible. */
export const fullDay = (day: string) => FULL(...parts(day))

/** `Mar 1` in the present year, `Mar 1, 2027` in another one. */
export const shortDay = (day: string, now = Date.now()) =>
  parts(day)[0] === new Date(now).getFullYear() ? monthDay(day) : fullDay(day)

/** Whether two instants are on the same day in the device's time zone. */
export const sameDay = (a: string | number, b: string | number) =>
  differenceInCalendarDays(a, b) === 0

/** `13:40`, in the device's time zone. */
export const clockTime = (instant: string | number) => new Date(instant).toTimeString().slice(0, 5)

/** The day of an instant on the device's calendar. A day without a time, as some servers have it, is itself. */
export function dayOf(instant: string | number): string {
  if (/^\d{4}-\d\d-\d\d$/.test(String(instant))) return String(instant)
  const at = new Date(instant)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** `Tuesday 13:40`, on the device's clock. */
export const weekdayTime = (instant: string | number) =>
  `${weekdayOf(dayOf(instant))} ${clockTime(instant)}`

/** `Mar 3, 2026, 10:12`, on the device's clock. */
export const fullMoment = (instant: string | number) =>
  `${fullDay(dayOf(instant))}, ${clockTime(instant)}`

const AGO = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })

/** `10:12` today, `yesterday 10:12`, else `Mar 3, 10:12`, with the year if it is not this one. */
export function moment(instant: string | number, now = Date.now()): string {
  const clock = clockTime(instant)
  const days = differenceInCalendarDays(now, instant)
  if (days === 0) return clock
  if (days === 1) return `${AGO.format(-1, 'day')} ${clock}`
  return `${shortDay(dayOf(instant), now)}, ${clock}`
}

/** `just now`, `12 minutes ago`, `yesterday`, `3 weeks ago`: where an approximate time is enough. */
export function ago(instant: string | number, now = Date.now()): string {
  const minutes = Math.round((now - new Date(instant).getTime()) / 60_000)
  if (minutes < 1) return AGO.format(0, 'second')
  if (minutes < 60) return AGO.format(-minutes, 'minute')
  if (minutes < 24 * 60) return AGO.format(-Math.round(minutes / 60), 'hour')
  // On the calendar: of an evening before yesterday, “yesterday” would be wrong.
  const days = differenceInCalendarDays(now, instant)
  if (days < 14) return AGO.format(-days, 'day')
  if (days < 70) return AGO.format(-Math.round(days / 7), 'week')
  return AGO.format(-Math.round(days / 30), 'month')
}
