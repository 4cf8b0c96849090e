// The best matches of many texts for what was typed. Pure.
import { foldText } from '../../ui/text/fold-text.ts'

/** Records of one kind that can be found. */
export interface Findable<T> {
  records: readonly T[]
  /** What follows in further lines only counts as contained. */
  textOf: (record: T) => string
  /** Whether a record still matters: a closed plan comes after the open ones that match as well. */
  isOpen?: (record: T) => boolean
  limit: number
}

/** A match; a lower rank is better. */
export interface Match<T> {
  record: T
  rank: number
}

// How a text matches, best first: it starts with what was typed, has a word that does, contains it, or has all its
// words. The numbers between are for closed records.
const STARTS = 0
const WORD_STARTS = 2
const CONTAINS = 4
const HAS_WORDS = 6
const RANKS = 8

const OTHER_LETTER = /[\p{L}\p{N}]/u

/** Whether a folded text has a letter or a digit there; the expression is slow for so many texts. */
function isLetterAt(text: string, at: number): boolean {
  const code = text.codePointAt(at) ?? 0
  if (code < 128) return (code > 64 && code < 91) || (code > 47 && code < 58)
  return OTHER_LETTER.test(String.fromCodePoint(code))
}

/** The words of what was typed, where it is several. */
const wordsOf = (sought: string): string[] => {
  const words = sought.split(/\s+/)
  return words.length > 1 ? words : []
}

/** Whether a text has all words, in any order; false without any. */
const hasAll = (text: string, words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => text.includes(word))

/** How well a text matches; undefined if it does not. All are folded; `words` are those of `sought`. */
function matchOf(text: string, sought: string, words: readonly string[]): number | undefined {
  const first = text.indexOf(sought)
  if (first === -1) return hasAll(text, words) ? HAS_WORDS : undefined
  if (first === 0) return STARTS
  const [line = ''] = text.split('\n', 1)
  let at = line.indexOf(sought)
  while (at !== -1) {
    if (!isLetterAt(line, at - 1)) return WORD_STARTS
    at = line.indexOf(sought, at + 1)
  }
  return CONTAINS
}

/**
 * Prepares a search that returns the best matches, best first, and among equals in the order of the
 * records. Texts are folded once. A search compares each text and sorts nothing: matches are
 * collected by rank, so that ten thousand plans take a few milliseconds.
 */
export function finderOf<T>({ records, textOf, isOpen = () => true, limit }: Findable<T>) {
  let texts: string[] | undefined
  return (sought: string): Match<T>[] => {
    texts ??= records.map((record) => foldText(textOf(record)))
    const words = wordsOf(sought)
    const byRank: Match<T>[][] = Array.from({ length: RANKS }, () => [])
    for (const [at, text] of texts.entries()) {
      const match = matchOf(text, sought, words)
      const record = records[at]
      if (match === undefined || record === undefined) continue
      const rank = match + Number(!isOpen(record))
      const same = byRank[rank]
      if (same && same.length < limit) same.push({ record, rank })
      if (byRank[STARTS]?.length === limit) break
    }
    return byRank.flat().slice(0, limit)
  }
}

/**
 * Prepares a search that returns the first matches in the order of the records, and reads no further: for
 * long texts, where the place of a match says little.
 */
export function firstMatchesOf<T>({ records, textOf, limit }: Findable<T>) {
  const texts: string[] = []
  return (sought: string): Match<T>[] => {
    const words = wordsOf(sought)
    const found: Match<T>[] = []
    for (const [index, record] of records.entries()) {
      if (found.length === limit) break
      const text = (texts[index] ??= foldText(textOf(record)))
      if (text.includes(sought) || hasAll(text, words)) found.push({ record, rank: RANKS })
    }
    return found
  }
}
