import type { SORTS } from './list/order.ts'
import type { View } from './list/view.ts'
import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { ago, shortDay } from '../../ui/text/dates.ts'
import { formatCount, formatNumber, formatPercent } from '../../ui/text/format.ts'

/** Texts of the plan list, and those shared by several plan screens. */
export const planMessages = {
  title: 'Success plans',
  number: formatNumber,
  shown: (shown: number, all: number) =>
    shown === all
      ? formatCount(all, 'plan')
      : `${formatNumber(shown)} of ${formatCount(all, 'plan')}`,
  show: (shown: number) => `Show ${formatCount(shown, 'plan')}`,
  newPlan: 'New plan',
  overdue: 'Overdue',
  overdueBy: (days: number) => `${formatCount(days, 'day')} overdue`,
  stale: 'Stale',
  staleSince: (last: string) => `Last update ${ago(last)}`,
  behind: 'Behind',
  waiting: 'Not sent yet',
  attention: 'Needs attention',
  ends: (day: string) => `Ends ${shortDay(day)}`,
  noEnd: 'No end date',
  percent: formatPercent,
  progressOf: (title: string) => sentence`Progress of ${title}`,
  project: 'Project',
  you: 'You',

  loading: 'Loading the plans',
  neverSynced: 'Getting your plans…',
  failedTitle: 'The plans could not be loaded',
  failed: 'Nothing is lost. Try again in a moment.',
  retry: 'Try again',
  notHereTitle: 'Your plans are not on this device yet',
  notHere: 'They are downloaded as soon as you are online. You can already create a plan.',
  emptyTitle: 'No success plans yet',
  empty:
    'A success plan says what a customer wants to achieve, by when, and how far along you are.',
  firstPlan: 'Create your first plan',
  noMatchTitle: 'No plans match',
  noMatch: 'Try a different search or view.',
  clearFilters: 'Show all plans',
  listLabel: 'Success plans',
  selectRow: (title: string) => sentence`Select “${title}”`,
  selectedPlans: 'Selected plans',

  views: {
    all: 'All',
    mine: 'Mine',
    'at-risk': 'At risk or off track',
    overdue: 'Overdue',
    stale: 'Stale',
    due: 'Due in 30 days',
  } satisfies Record<View, string>,
  viewsLabel: 'Views',
  sorts: {
    end_date: 'By end date',
    '-updated_at': 'Recently updated first',
    progress: 'Least progress first',
    title: 'By title',
  } satisfies Record<(typeof SORTS)[number], string>,
  sortLabel: 'Sort',
  searchLabel: 'Search by title, account or owner',
  noHealth: 'Not rated',

  back: 'Success plans',
  reviewTitle: 'Review',
  importTitle: 'Import success plans',
  sharedTitle: 'Add to a plan',
  account: 'Account',
  owner: 'Owner',
  none: '–',
} as const satisfies Messages
