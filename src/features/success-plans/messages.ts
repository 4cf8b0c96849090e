import type { SORTS } from './list/order.ts'
import type { View } from './list/view.ts'
import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { ago, fullDay, shortDay } from '../../ui/text/dates.ts'
import { formatCount, formatNumber, formatPercent, labelOf } from '../../ui/text/format.ts'

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
  ownedBy: (name: string) => sentence`Owner: ${name}`,
  project: 'Project',
  someone: 'A former member',
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
  statusLabel: 'Status',
  anyStatus: 'Any status',
  openStatus: 'Open',
  healthLabel: 'Health',
  anyHealth: 'Any health',
  noHealth: 'Not rated',

  back: 'Success plans',
  missingTitle: 'This plan does not exist',
  missing: 'It may have been deleted, or it belongs to another organisation.',
  planNotHereTitle: 'This plan is not on this device yet',
  planNotHere: (plans: number) =>
    plans === 0
      ? 'Connect once to download it.'
      : `Connect once to download it. ${formatCount(plans, 'other plan')} can be opened now.`,
  openList: 'Show available plans',
  loadingPlan: 'Loading the plan',
  planFailedTitle: 'This plan could not be loaded',
  parts: 'Parts of this plan',
  loadingPart: 'Loading',
  updatesTab: 'Updates',
  workTab: 'Work',
  aboutTab: 'About',
  actionsDone: (done: number, all: number) => `${done}/${all}`,
  actionsDoneSpoken: (done: number, all: number) => `${done} of ${all} actions done`,
  facts: 'About this plan',
  account: 'Account',
  owner: 'Owner',
  type: 'Type',
  typeOf: (type: string) => `${labelOf(type)} plan`,
  starts: 'Start',
  endsLabel: 'End',
  cadence: 'Update cadence',
  cadenceDays: (days: number) => `Every ${days} days`,
  outcome: 'Outcome',
  outcomeOf: (outcome: string) => labelOf(outcome),
  description: 'Description',
  criteria: 'Success criteria',
  none: '–',
  day: fullDay,
  timeElapsed: (gone: number) => `${formatPercent(gone)} of the time gone`,
  progress: 'Progress',
  changeStatus: 'Change status',
  createdHere: 'This plan was created on this device.',
  changedHere: 'This plan was changed on this device.',
  deleteConsequence:
    'Its updates, initiatives and actions are deleted too, for everyone in the organisation.',
} as const satisfies Messages
