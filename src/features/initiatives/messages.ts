import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { shortDay } from '../../ui/text/dates.ts'
import { formatCount, formatNumber } from '../../ui/text/format.ts'

/** Texts of initiative lists. */
export const initiativeMessages = {
  title: 'Initiatives',
  listLabel: 'Initiatives',
  shown: (shown: number, all: number) =>
    shown === all
      ? formatCount(all, 'initiative')
      : `${formatNumber(shown)} of ${formatCount(all, 'initiative')}`,
  add: 'New initiative',
  first: 'Add your first initiative',
  done: (done: number, all: number) => (all === 0 ? 'No actions' : `${done} of ${all} done`),
  progressOf: (title: string) => sentence`Progress of ${title}`,
  ends: (day: string) => `Ends ${shortDay(day)}`,
  overdue: 'Overdue',
  ownedBy: (name: string) => sentence`Owner: ${name}`,
  noPlan: 'No plan',
  /** Nothing is added where the title already names the account. */
  planOf: (title: string, account: string | undefined) =>
    account === undefined || title.includes(account) ? title : sentence`${title} · ${account}`,
  unknownPlan: 'Unknown plan',
  ungrouped: 'Other actions',
  ungroupedParent: 'this plan',
  typed: 'What you typed about an initiative or action that is gone was not sent',
  failedSave: 'This could not be saved on this device.',
  deleteConsequence: 'Its actions are deleted too, for everyone in the organisation.',

  loading: 'Loading the initiatives',
  emptyTitle: 'No initiatives yet',
  empty: 'An initiative is a larger step of a plan, with actions to tick off.',
  emptyOfPlan: 'Split the plan into a few larger steps, each with actions to tick off.',
  noMatchTitle: 'No initiatives match',
  noMatch: 'Try a different search or other filters.',
  clear: 'Show all initiatives',
  failedTitle: 'The initiatives could not be loaded',
  failed: 'Nothing is lost. Try again in a moment.',
  retry: 'Try again',
  notHereTitle: 'Your initiatives are not on this device yet',
  notHere: 'They are downloaded as soon as you are online. You can already add one.',
} as const satisfies Messages

/** Texts of the list of all initiatives. */
export const initiativeListMessages = {
  columns: {
    title: 'Title',
    plan: 'Plan',
    status: 'Status',
    health: 'Health',
    progress: 'Actions',
    end_date: 'End',
    owner: 'Owner',
  },
  day: shortDay,
  /** Below the heading of its column. */
  done: (done: number, all: number) => `${done} of ${all}`,
  show: (shown: number) => `Show ${formatCount(shown, 'initiative')}`,
  preview: (title: string) => sentence`Preview of ${title}`,
  actions: 'Actions',
  searchLabel: 'Search by title or plan',
  groups: {
    '': 'No groups',
    owner: 'Owner',
    plan: 'Plan',
    account: 'Account',
    status: 'Status',
    health: 'Health',
    month: 'Month of the end date',
  },
  anyPlan: 'Any plan',
  select: 'Select initiatives',
  selectRow: (title: string) => sentence`Select “${title}”`,
} as const satisfies Messages

/** Texts of the CSV export of initiatives. */
export const initiativeCsvMessages = {
  fileName: (day: string) => `initiatives-${day}.csv`,
  exported: (initiatives: number) => `${formatCount(initiatives, 'initiative')} exported`,
  actionsDone: 'Actions done',
  actions: 'Actions',
  link: 'Link',
} as const satisfies Messages

/** Texts of the initiative form. */
export const initiativeFormMessages = {
  newTitle: 'New initiative',
  editTitle: 'Edit initiative',
  noPlan: 'No plan',
  noHealth: 'Not rated',
  noOwner: 'No owner',
  me: (name: string) => sentence`${name} (you)`,
  descriptionHint: 'What will be different once it is done.',
  create: 'Add initiative',
  save: 'Save changes',
} as const satisfies Messages
