/** Letters that are not a letter and a mark for Unicode, and that lists sort with these nevertheless. */
const LETTERS: Record<string, string> = {
  Æ: 'AE',
  Ð: 'D',
  Đ: 'D',
  Ħ: 'H',
  Ł: 'L',
  Ø: 'O',
  Œ: 'OE',
}

/**
 * A text for comparison with what is typed: capitals, accents and how a letter is encoded make no difference. It is in
 * capitals, because `ß` and `ss`, `ı` and `i`, and both forms of `σ` have the same ones. A mark that belongs to one
 * script, as a vowel of Hindi does, remains.
 */
export const foldText = (text: string): string =>
  // Most texts are ASCII, and a search is of ten thousand.
  /[\u0080-\uffff]/.test(text)
    ? text
        .normalize('NFKD')
        .replaceAll(/\p{sc=Zinh}+/gu, '')
        .toLowerCase()
        .toUpperCase()
        .replaceAll(/[ÆÐĐĦŁØŒ]/g, (letter) => LETTERS[letter] ?? '')
    : text.toUpperCase()
