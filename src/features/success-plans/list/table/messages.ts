import type { Messages } from '../../../../../contract/text/catalogue.ts'

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
