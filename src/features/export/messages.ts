import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'

/** Texts of every CSV export. */
export const exportMessages = {
  waiting: 'Waiting for the names of accounts and people',
  incomplete: (exported: string) =>
    sentence`${exported}. Not everything has been downloaded to this device yet.`,
  unread: (exported: string) =>
    sentence`${exported}. What could not be read from the server is missing or older than the rest.`,
} as const satisfies Messages

/** The columns of initiatives. */
export const initiativeColumns = {
  title: 'Initiative',
  plan: 'Plan',
  account: 'Account',
  status: 'Status',
  health: 'Health',
  progress: 'Progress',
  owner: 'Owner',
  start: 'Start date',
  end: 'End date',
  description: 'Description',
} as const satisfies Messages
