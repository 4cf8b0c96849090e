// Numbers, money, days and times as the app writes them. A day is `YYYY-MM-DD` and never goes through a
// time zone. By the browser's own `Intl`: date-fns' `format` would bring every language's rules with it.
import { isSameDay } from 'date-fns/isSameDay'
import { isSameYear } from 'date-fns/isSameYear'
import { subDays } from 'date-fns/subDays'
import { LOCALE } from '../../../contract/locale.ts'

const NUMBER = new Intl.NumberFormat(LOCALE)
const PERCENT = new Intl.NumberFormat(LOCALE, {
  style: 'unit',
  unit: 'percent',
  maximumFractionDigits: 0,
})

/** `1,250`. */
export const formatNumber = (value: number) => NUMBER.format(value)

/** `58%`, from 0 to 100. */
export const formatPercent = (value: number) => PERCENT.format(value)

/** `1 plan`, `1,250 plans`, `3 people`. */
export const formatCount = (many: number, one: string, more = `${one}s`) =>
  `${formatNumber(many)} ${many === 1 ? one : more}`

/** `€48,000`, in whole units; `48,000 XYZW` where the currency is no ISO 4217 code. */
export function formatMoney(amount: number, currency: string): string {
  try {
    return new Intl.NumberFormat(LOCALE, {
      style: 'currency',
      currency,
      maximumFractionDigits: 0,
    }).format(amount)
  } catch {
    return `${formatNumber(amount)} ${currency}`
  }
}

/** `3.4 MB`: decimal units, as browsers and systems show them. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const amount = bytes / 1_000 ** step
  return new Intl.NumberFormat(LOCALE, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    maximumFractionDigits: amount < 10 && step > 0 ? 1 : 0,
  }).format(amount)
}

/** `Mia, Jonas, and Ada`; with `disjunction`, `Mia, Jonas, or Ada`. */
export const formatList = (
  items: readonly string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
) => new Intl.ListFormat(LOCALE, { type }).format(items)

/** A value of the contract as a label: `In progress` for `in-progress`. */
export const labelOf = (value: string) => {
  const text = value.replaceAll(/[-_]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const COLLATOR = new Intl.Collator(LOCALE, { numeric: true, sensitivity: 'base' })

/** Orders texts as a reader expects: `Plan 9` before `Plan 10`, capitals and accents beside their letters. */
export const compareText = (a: string, b: string) => COLLATOR.compare(a, b)

// A formatter stays in the zone in which it was made, and a device travels: so days are formatted in UTC.
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

/** `Mar 1` whatever the year: for the list of plans alone (specification, section 2). */
export const monthDay = (day: string) => MONTH_DAY(...parts(day))

/** `Mar 1, 2026`. */
export const fullDay = (day: string) => FULL(...parts(day))

/** `Mar 1` in the present year, `Mar 1, 2027` in another one. */
export const shortDay = (day: string, now = Date.now()) =>
  parts(day)[0] === new Date(now).getFullYear() ? monthDay(day) : fullDay(day)

/** Whether two instants fall on one day of the device. */
export const sameDay = (a: string | number, b: string | number) =>
  isSameDay(new Date(a), new Date(b))

/** `13:40`, on the device's clock. */
export const clockTime = (instant: string | number) => new Date(instant).toTimeString().slice(0, 5)

/** `Tuesday 13:40`, on the device's clock. */
export function weekdayTime(instant: string | number): string {
  const at = new Date(instant)
  return `${WEEKDAY(at.getFullYear(), at.getMonth(), at.getDate())} ${clockTime(instant)}`
}

/** `Mar 3, 2026, 10:12`, on the device's clock. */
export function fullMoment(instant: string | number): string {
  const at = new Date(instant)
  return `${FULL(at.getFullYear(), at.getMonth(), at.getDate())}, ${clockTime(instant)}`
}

/** `10:12` today, `yesterday 10:12`, else `Mar 3, 10:12`, with the year when it is another one. */
export function moment(instant: string | number, now = Date.now()): string {
  const at = new Date(instant)
  const clock = clockTime(instant)
  if (isSameDay(at, now)) return clock
  if (isSameDay(at, subDays(now, 1))) return `yesterday ${clock}`
  const day = (isSameYear(at, now) ? MONTH_DAY : FULL)(
    at.getFullYear(),
    at.getMonth(),
    at.getDate(),
  )
  return `${day}, ${clock}`
}

const AGO = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })

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
