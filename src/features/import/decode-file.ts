// Decodes a file written by another program.

/** The encodings that an import can read, by their `TextDecoder` labels. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** In bytes: enough for about ten thousand accounts with notes. */
export const MAX_BYTES = 5 * 1024 * 1024

/**
 * Detects the encoding: byte order mark, then the zero bytes of UTF-16, then whether the bytes are
 * valid UTF-8.
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
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
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
