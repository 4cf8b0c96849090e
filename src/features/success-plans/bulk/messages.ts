import type { Messages } from '../../../../contract/text/catalogue.ts'
import { formatCount } from '../../../ui/text/format.ts'

const inWords = (word: string) => word.replaceAll('-', ' ')

/** Texts about changing one or many plans from the list. */
export const bulkMessages = {
  healthTitle: (health: string, plans: string) => `Set ${plans} to ${inWords(health)}`,
  noteForOne: 'What has changed? This is posted to the feed.',
  noteForMany: 'One note for all of them. It is posted to the feed of each plan.',
  healthNoteMissing: 'Say in a sentence what has changed.',

  plans: (count: number) => formatCount(count, 'plan'),
  nothingToChange: 'No selected plan would change.',
} as const satisfies Messages
