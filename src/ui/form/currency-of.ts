// Reads the currency of a typed amount by the signs that formats have for it.
import { CURRENCY_SIGNS } from '../../../contract/text/locale.ts'

/** By currency: a formatter takes long to make. */
const known = new Map<string, readonly (string | undefined)[]>()

/** The sign of only this currency, and the short one that other currencies may share; in lower case. */
function signsOf(currency: string): readonly (string | undefined)[] {
  const found =
    known.get(currency) ??
    (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) => {
      try {
        return new Intl.NumberFormat(CURRENCY_SIGNS, {
          style: 'currency',
          currency,
          currencyDisplay,
        })
          .formatToParts(0)
          .find(({ type }) => type === 'currency')
          ?.value.toLowerCase()
      } catch {
        // A file may have a code that does not exist.
        return undefined
      }
    })
  known.set(currency, found)
  return found
}

/** The sign of an amount, also of letters: `$`, `US$`, `kr`; an empty text where it has none. */
export const signIn = (amount: string): string => amount.replaceAll(/[^\p{L}\p{Sc}]/gu, '')

/**
 * The currency of an amount that a person typed, or that stands in a spreadsheet: by its code, or by its sign. Many
 * currencies have `$`, `¥` or `kr`: such a sign means `usual` if that has it. An amount without a sign is in `usual`.
 * Undefined if it cannot be known.
 */
export function currencyOf(amount: string, usual: string): string | undefined {
  const code = /\b[A-Z]{3}\b/.exec(amount)?.[0]
  if (code !== undefined) return code
  const sign = signIn(amount).toLowerCase()
  if (sign === '' || signsOf(usual).includes(sign)) return usual
  return Intl.supportedValuesOf('currency').find((currency) => signsOf(currency)[0] === sign)
}
