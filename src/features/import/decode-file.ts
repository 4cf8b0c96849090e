// Decodes a file written by another program.

/** The encodings that an import can read, by their `TextDecoder` labels: Excel saves lists in that of the computer. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
] as const
export type Encoding = (typeof ENCODINGS)[number]

/** In bytes: enough for about ten thousand accounts with notes. */
export const MAX_BYTES = 5 * 1024 * 1024

/**
 * Detects the encoding: byte order mark, then the zero bytes of UTF-16, then whether the bytes are UTF-8. A file in
 * which a few bytes are damaged or missing stays UTF-8: read as Windows-1252, every other letter would be wrong.
 */
export function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Without a byte order mark: headings are mostly Latin, so every other byte of UTF-16 is zero.
  const head = bytes.subarray(0, 64)
  const zeros = (from: 0 | 1) =>
    head.filter((byte, index) => index % 2 === from && byte === 0).length
  if (zeros(1) > head.length / 4 && zeros(0) === 0) return 'utf-16le'
  if (zeros(0) > head.length / 4 && zeros(1) === 0) return 'utf-16be'
  const text = decode(bytes, 'utf-8')
  const broken = text.match(/\u{FFFD}+/gu)?.length ?? 0
  const valid = text.match(/[^\p{ASCII}\u{FFFD}]/gu)?.length ?? 0
  const isMostlyValid = valid > 0 && broken <= Math.max(1, valid * MAX_BROKEN_SHARE)
  return broken === 0 || isMostlyValid || (broken === 1 && endsInLetter(bytes))
    ? 'utf-8'
    : 'windows-1252'
}

/** Letters of Windows-1252 stand side by side as a valid sequence of UTF-8 far more rarely than this. */
const MAX_BROKEN_SHARE = 0.25

/**
 * Whether the file ends within a letter in UTF-8: with two or more of its bytes, or with the first byte of a Latin
 * letter, which in Windows-1252 is a capital that hardly ends a text.
 */
function endsInLetter(bytes: Uint8Array): boolean {
  const [third = 0, second = 0, last = 0] = bytes.subarray(-3)
  const isInside = (byte: number) => byte >= 0x80 && byte <= 0xbf
  const isFirstOfMany = (byte: number) => byte >= 0xe0 && byte <= 0xf4
  if (last >= 0xc2 && last <= 0xc5) return true
  return isInside(last) && (isFirstOfMany(second) || (isInside(second) && isFirstOfMany(third)))
}

/** Why a file cannot be read. */
export type Unreadable = 'empty' | 'large' | 'workbook' | 'binary'

/** Why the file is not a text file; undefined if it is one. */
export function unreadable(bytes: Uint8Array): Unreadable | undefined {
  if (bytes.length > MAX_BYTES) return 'large'
  if (bytes.length === 0) return 'empty'
  const magic = bytes.subarray(0, 4).join(' ')
  // ZIP (.xlsx, .ods) and the older .xls.
  if (magic === '80 75 3 4' || magic === '208 207 17 224') return 'workbook'
  return encodingOf(bytes).startsWith('utf-16') || !bytes.includes(0) ? undefined : 'binary'
}

/** Decodes the bytes; invalid sequences become �. */
export const decode = (bytes: Uint8Array, encoding: Encoding): string =>
  new TextDecoder(encoding).decode(bytes)
