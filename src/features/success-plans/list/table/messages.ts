import type { Messages } from '../../../../../contract/text/catalogue.ts'
import { LOCALE } from '../../../../../contract/text/locale.ts'
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

/** What cells write themselves. */
export const cellMessages = {
  ago,
} as const satisfies Messages

const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The headings of groups. */
export const groupMessages = {
  /** `YYYY-MM`. */
  month: (month: string) => MONTH.format(Date.parse(`${month}-01`)),
  without: {
    health: 'Not rated',
    owner: 'No owner',
    account: 'No account',
    month: 'No end date',
  },
  former: 'A former member',
  unknown: 'Unknown account',
} as const satisfies Messages

/** Texts of the controls above the table. */
export const toolMessages = {
  anyOwner: 'Any owner',
  anyAccount: 'Any account',
  anyEnd: 'Any end date',
  you: 'You',
  ends: {
    passed: 'Date has passed',
    '30': 'Within 30 days',
    '90': 'Within 90 days',
    none: 'No end date',
  },
  end: 'End date',
  group: 'Group by',
  groups: {
    '': 'No groups',
    status: 'Status',
    health: 'Health',
    owner: 'Owner',
    account: 'Account',
    month: 'Month of the end date',
  },
  columns: 'Columns',
  columnsHint: 'A narrow window shows fewer of them.',
  views: 'Saved views',
  viewsShort: 'Views',
  noViews: 'A saved view keeps filters, order, groups and columns.',
  noViewsHere: 'A saved view keeps filters, order, groups and columns on this device.',
  name: 'Name of the view',
  save: 'Save view',
  nothingToSave: 'Filter, sort or group the plans first.',
  tooManyViews: (most: number) => `You have ${most} saved views. Delete one first.`,
  tooMuchToSave: 'This is too much for one view. Choose fewer filters.',
  rename: (name: string) => sentence`Rename “${name}”`,
  saveName: 'Save name',
  remove: (name: string) => sentence`Delete “${name}”`,
  removed: (name: string) => sentence`View “${name}” deleted`,
  undo: 'Undo',
  preview: (title: string) => sentence`Preview of ${title}`,
  openPlan: 'Open plan',
} as const satisfies Messages

/** Texts of cells that can be edited, and of the checkboxes. */
export const planCellMessages = {
  change: {
    owner: 'Change owner',
    end_date: 'Change end date',
    status: 'Change status',
    health: 'Change health',
  },
  noOwner: 'No owner',
} as const satisfies Messages
