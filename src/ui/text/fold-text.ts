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
        // To Unicode these are no letters with a mark, but lists sort them as if they were.
        .replaceAll('Ł', 'L')
        .replaceAll('Ø', 'O')
        .replaceAll(/[ĐÐ]/g, 'D')
        .replaceAll('Ħ', 'H')
        .replaceAll('Æ', 'AE')
        .replaceAll('Œ', 'OE')
    : text.toUpperCase()
