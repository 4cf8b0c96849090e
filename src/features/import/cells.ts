// Converts spreadsheet cells to the contract's values. A cell that cannot be converted stays as it is,
// so that the contract's validation reports it.

/** `At risk`, `at_risk` and `AT-RISK` are the same value. */
export const wordOf = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/**
 * The day as `YYYY-MM-DD`, from `2026-03-31`, `2026/3/31`, `31.3.2026`, `31-Mar-26`, `March 31, 2026`, an ISO
 * instant, and from `31/3/2026` or `3/31/2026` if only one of the two orders is possible, each with or without a
 * time of day; otherwise the cell unchanged.
 */
export function dayOf(cell: string): string {
  // At most nine spaces: a cell of spaces would take quadratic time.
  const text = cell.trim().replace(/,? {1,9}\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?$/i, '')
  const day = (year = '', month = '', date = '') =>
    `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const named =
    /^(?<date>\d{1,2})[-. ]+(?<name>\p{L}+)[-. ]+(?<year>\d{4}|\d\d)$/u.exec(text) ??
    /^(?<name>\p{L}+)\.? (?<date>\d{1,2}),? (?<year>\d{4})$/u.exec(text)
  if (named?.groups) {
    const { date, name = '', year } = named.groups
    const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
    return month === 0 ? text : day(year, String(month), date)
  }
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:$|[T ])/.exec(text)
  if (iso) return day(iso[1], iso[2], iso[3])
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d\d)$/.exec(text)
  if (dotted) return day(dotted[3], dotted[2], dotted[1])
  // With a year of two digits only the second number can show that it is the day: 31/3/26 may be in 2031.
  const short = /^(\d{1,2})[/-](1[3-9]|2\d|3[01])[/-](\d\d)$/.exec(text)
  if (short) return day(short[3], short[1], short[2])
  const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text)
  if (!slashed) return text
  const [, one = '', two = '', year] = slashed
  if (Number(one) > 12 || one === two) return day(year, two, one)
  return Number(two) > 12 ? day(year, one, two) : text
}

/** Other programs' words, by ours. Compared as `wordOf` writes them. */
const STATUS_WORDS: Readonly<Record<string, string>> = {
  'not-started': 'planned',
  new: 'planned',
  draft: 'planned',
  active: 'in-progress',
  open: 'in-progress',
  ongoing: 'in-progress',
  started: 'in-progress',
  'on-hold': 'paused',
  hold: 'paused',
  done: 'completed',
  closed: 'completed',
  complete: 'completed',
  finished: 'completed',
  canceled: 'cancelled',
  stopped: 'cancelled',
}
const HEALTH_WORDS: Readonly<Record<string, string>> = {
  green: 'on-track',
  good: 'on-track',
  yellow: 'at-risk',
  amber: 'at-risk',
  red: 'off-track',
  poor: 'off-track',
}
const translated = (words: Readonly<Record<string, string>>) => (cell: string) => {
  const word = wordOf(cell)
  return Object.hasOwn(words, word) ? words[word] : word
}

/** A plan's status: ours, or the word that other programs have for it. */
export const statusOf = translated(STATUS_WORDS)

/** A health: ours, or a colour of a traffic light. */
export const healthOf = translated(HEALTH_WORDS)

const WITH_ZONE = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/

/**
 * The instant of a cell in UTC: of one with a time zone as it is, of a day at noon, so that it is the same day
 * nearly everywhere. A cell that is neither stays as it is.
 */
export function instantOf(cell: string): string {
  const text = cell.trim()
  if (WITH_ZONE.test(text)) return text
  const day = dayOf(text)
  // `Date` would take February 31 for March 2.
  return new Date(`${day}T12:00:00Z`).toJSON()?.startsWith(day) ? `${day}T12:00:00Z` : text
}

const DAY_MS = 86_400_000

/**
 * Whether a cell means that instant, as precisely as both are written: many servers keep whole seconds, and a
 * spreadsheet may keep the day alone. A day is one in UTC or on this device.
 */
export function isSameTime(cell: string, instant: string): boolean {
  const text = cell.trim()
  const at = Date.parse(instant)
  if (WITH_ZONE.test(text))
    return Math.abs(at - Date.parse(text)) < Math.max(precisionOf(text), precisionOf(instant))
  const day = dayOf(text)
  return [`${day}T00:00Z`, `${day}T00:00`].some((start) => {
    const elapsedMs = at - Date.parse(start)
    return elapsedMs >= 0 && elapsedMs < DAY_MS
  })
}

/** In milliseconds. Zeros at the end of a fraction are what a program adds to the seconds that it has. */
function precisionOf(instant: string): number {
  const [time, fraction = ''] = /:\d\d:\d\d(?:\.(\d*[1-9]))?/.exec(instant) ?? []
  return time === undefined ? 60_000 : 1_000 / 10 ** Math.min(3, fraction.length)
}
