// Arithmetic on calendar days (`YYYY-MM-DD`), which belong to no time zone. The app and the server compute the days of
// a plan from a template with it, so both come to the same ones.

const DAY_MS = 86_400_000

/** Epoch milliseconds of the day in UTC, which has no daylight saving. */
const toMs = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** The day that is `days` after `day`; before it, where negative. */
export const addDays = (day: string, days: number): string =>
  new Date(toMs(day) + days * DAY_MS).toISOString().slice(0, 10)

/** Whether the day is a Saturday or a Sunday; false for a text that is no day. */
export const isWeekend = (day: string): boolean => [0, 6].includes(new Date(toMs(day)).getUTCDay())

/** The day itself, or the Monday after it where it is on a weekend. Knows no public holidays. */
export const nextWorkday = (day: string): string => {
  const weekday = new Date(toMs(day)).getUTCDay()
  return weekday === 6 ? addDays(day, 2) : weekday === 0 ? addDays(day, 1) : day
}
