import type { Messages } from '../../../contract/text/catalogue.ts'

/** `ARR` stays as it is. */
const inSentence = (title: string) => (title === title.toUpperCase() ? title : title.toLowerCase())

/** Texts of the order on a phone. */
export const controlMessages = {
  sort: 'Sort',
  sortedBy: (column: string) => `By ${inSentence(column)}`,
  sortedReversed: (column: string) => `By ${inSentence(column)}, reversed`,
} as const satisfies Messages
