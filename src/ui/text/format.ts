// Numbers, money, sizes, counts, lists and labels as the app writes them; days and times are in `dates.ts`.
import { LOCALE } from '../../../contract/text/locale.ts'
import { isolate } from '../../../contract/text/sentence.ts'

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

/** The same after “every”: `day`, `7 days`. */
export const formatEach = (many: number, one: string) => (many === 1 ? one : formatCount(many, one))

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

/** `Mia, Jonas, and Ada`; with `disjunction`, `Mia, Jonas, or Ada`. Each item is isolated. */
export const formatList = (
  items: readonly string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
) => new Intl.ListFormat(LOCALE, { type }).format(items.map(isolate))

/** A value of the contract as a label: `In progress` for `in-progress`. */
export const labelOf = (value: string) => {
  const text = value.replaceAll(/[-_]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const COLLATOR = new Intl.Collator(LOCALE, { numeric: true, sensitivity: 'base' })

/** Orders texts as a reader expects: `Plan 9` before `Plan 10`, capitals and accents beside their letters. */
export const compareText = (a: string, b: string) => COLLATOR.compare(a, b)
