/**
 * The number that a person typed, or that stands in a spreadsheet: `€48,000.50`, `US$48,000`, `48 000`, `48.000,50`,
 * `1200,50`. With two kinds of separators the last one is the decimal point; a single separator groups thousands when
 * exactly three digits follow and one to three precede, or when it is used twice. NaN for what is not a number.
 */
export function readNumber(text: string): number {
  const digits = text.replaceAll(/[\s'’%]|\p{L}{0,2}\p{Sc}|[Kk]r(?!\p{L})\.?|\b[A-Z]{3}\b/gu, '')
  const sign = digits.match(/[.,]/g)?.at(-1)
  if (sign === undefined) return digits === '' ? Number.NaN : Number(digits)
  const other = sign === '.' ? ',' : '.'
  const [integer = '', fraction = '', ...more] = digits.split(sign)
  const isThousands =
    !digits.includes(other) &&
    (more.length > 0 || (fraction.length === 3 && /^-?[1-9]\d{0,2}$/.test(integer)))
  if (isThousands) return Number(digits.replaceAll(sign, ''))
  if (more.length > 0) return Number.NaN
  return Number(`${integer.replaceAll(other, '')}.${fraction}`)
}

/** The number as `readNumber` reads it: a zero behind exactly three decimals, which would be taken for thousands. */
export const writeNumber = (value: number | null): string =>
  String(value ?? '').replace(/\.\d{3}$/, '$&0')
