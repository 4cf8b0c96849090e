import type { Messages } from '../../../../../contract/text/catalogue.ts'
import { sentence } from '../../../../../contract/text/sentence.ts'
import { ago } from '../../../../ui/text/dates.ts'

/** The headings of the table of plans. */
export const planColumnMessages = {
  title: 'Title',
  account: 'Account',
  status: 'Status',
  health: 'Health',
  progress: 'Progress',
  end_date: 'End',
  owner: 'Owner',
  last_update_at: 'Last update',
} as const satisfies Messages

/** What the table can be grouped by. */
export const planGroupMessages = {
  '': 'No groups',
  status: 'Status',
  health: 'Health',
  owner: 'Owner',
  account: 'Account',
  month: 'Month of the end date',
} as const satisfies Messages

/** What cells write themselves. */
export const cellMessages = {
  ago,
} as const satisfies Messages

/** Texts of the plan beside the table. */
export const previewMessages = {
  preview: (title: string) => sentence`Preview of ${title}`,
  openPlan: 'Open plan',
} as const satisfies Messages
