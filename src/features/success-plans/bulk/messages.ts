import type { Messages } from '../../../../contract/text/catalogue.ts'
import { sentence } from '../../../../contract/text/sentence.ts'
import { shortDay } from '../../../ui/text/dates.ts'
import { formatCount } from '../../../ui/text/format.ts'

const inWords = (word: string) => word.replaceAll('-', ' ')

/** Texts about changing one or many plans from the list. */
export const bulkMessages = {
  ownerOf: (title: string, owner: string | undefined) =>
    sentence`Owner of “${title}”: ${owner ?? 'none'}`,
  endOf: (title: string, day: string | null) =>
    sentence`End date of “${title}”: ${day === null ? 'none' : shortDay(day)}`,
  statusOf: (title: string, status: string) => sentence`Status of “${title}”: ${inWords(status)}`,
  healthOf: (title: string, health: string | null) =>
    sentence`Health of “${title}”: ${health === null ? 'not rated' : inWords(health)}`,

  healthTitle: (health: string, plans: string) => `Set ${plans} to ${inWords(health)}`,
  noteForOne: 'What has changed? This is posted to the feed.',
  noteForMany: 'One note for all of them. It is posted to the feed of each plan.',
  healthNoteMissing: 'Say in a sentence what has changed.',

  dayTooEarly: (first: string) => `Enter a date from ${shortDay(first)} on.`,
  save: 'Save',
  plans: (count: number) => formatCount(count, 'plan'),
  nothingToChange: 'No selected plan would change.',
} as const satisfies Messages
