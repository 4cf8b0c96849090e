// The text of a file that some other program wrote, in whatever encoding that had.

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** In bytes: some ten thousand customers with their notes. */
export const MAX_BYTES = 5 * 1024 * 1024

/** The encoding by the mark at the beginning, by the zeros of UTF-16, or by what is valid UTF-8. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Without a mark: the names of columns are mostly Latin, so every other byte is zero.
  const head = bytes.subarray(0, 64)
  const zeros = (from: 0 | 1) =>
    head.filter((byte, index) => index % 2 === from && byte === 0).length
  if (zeros(1) > head.length / 4 && zeros(0) === 0) return 'utf-16le'
  if (zeros(0) > head.length / 4 && zeros(1) === 0) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** Why a file is not read at all. */
export type Unreadable = 'empty' | 'large' | 'workbook' | 'binary'

/** What makes the file no text; undefined when it is one. */
export function unreadable(bytes: Uint8Array): Unreadable | undefined {
  if (bytes.length > MAX_BYTES) return 'large'
  if (bytes.length === 0) return 'empty'
  const magic = bytes.subarray(0, 4).join(' ')
  // A zip, as .xlsx and .ods are, and the older .xls.
  if (magic === '80 75 3 4' || magic === '208 207 17 224') return 'workbook'
  return encodingOf(bytes).startsWith('utf-16') || !bytes.includes(0) ? undefined : 'binary'
}

/** The text in that encoding; what is not valid in it shows as �. */
export const decode = (bytes: Uint8Array, encoding: Encoding): string =>
  new TextDecoder(encoding).decode(bytes)
