// Words of users in texts of the product: a name must not break a line, or reorder the text around it.

/** Letters that are written from right to left. They also move the punctuation and the numbers next to them. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const LINE_BREAKS_AND_CONTROLS = /[\p{Cc}\u2028\u2029]+/gu
const DIRECTION_CONTROLS = /\p{Bidi_Control}/gu

/**
 * A text of a user for a sentence: on one line, without characters that reorder others. Where it has letters that are
 * written from right to left it is isolated by U+2068 and U+2069 (Unicode Bidirectional Algorithm, UAX 9). Other texts
 * stay as they are, so that they can be copied and searched for.
 */
export function isolate(text: string): string {
  const line = text.replaceAll(LINE_BREAKS_AND_CONTROLS, ' ').replaceAll(DIRECTION_CONTROLS, '')
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line
}

/** A template for a sentence with texts of users: each inserted string is isolated. */
export const sentence = (texts: TemplateStringsArray, ...values: (string | number)[]): string =>
  texts.reduce((written, text, index) => {
    const value = values[index - 1] ?? ''
    return written + (typeof value === 'string' ? isolate(value) : value) + text
  })
