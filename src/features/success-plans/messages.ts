import { ago, fullDay, moment, shortDay } from '../../ui/text/dates.ts'
import type { Sort, View } from './list/view.ts'

const NUMBER = new Intl.NumberFormat('en')
const count = (many: number, one: string, more = `${one}s`) =>
  `${NUMBER.format(many)} ${many === 1 ? one : more}`

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** What the list says, and several screens. */
export const planMessages = {
  title: 'Success plans',
  number: (value: number) => NUMBER.format(value),
  shown: (shown: number, all: number) =>
    shown === all ? count(all, 'plan') : `${NUMBER.format(shown)} of ${count(all, 'plan')}`,
  newPlan: 'New plan',
  overdue: 'Overdue',
  overdueBy: (days: number) => `${count(days, 'day')} overdue`,
  stale: 'Stale',
  staleSince: (last: string) => `No update since ${ago(last)}`,
  behind: 'Behind',
  waiting: 'Not sent yet',
  attention: 'Needs attention',
  ends: (day: string) => `Ends ${shortDay(day)}`,
  noEnd: 'No end date',
  percent: (value: number) => `${value}%`,
  progressOf: (title: string) => `Progress of ${title}`,
  ownedBy: (name: string) => `Owner: ${name}`,
  project: 'Project',
  someone: 'A former member',
  you: 'You',

  loading: 'Loading the plans',
  upToDate: (at: number) => `Up to date · synced ${moment(at)}`,
  asOf: (at: number) => `Offline · as of ${moment(at)}`,
  neverSynced: 'Getting your plans…',
  failedTitle: 'The plans could not be loaded',
  failed: 'Nothing is lost. Check the connection and try again.',
  retry: 'Try again',
  notHereTitle: 'Your plans are not on this device yet',
  notHere: 'They are downloaded as soon as there is a network. You can already write a new plan.',
  emptyTitle: 'Set the first stone',
  empty: 'A success plan says what a customer wants to reach, by when, and how far you are.',
  firstPlan: 'Create the first plan',
  noMatchTitle: 'No plan matches',
  noMatch: 'Try fewer letters or another view.',
  clearFilters: 'Show all plans',
  listLabel: 'Success plans',

  views: {
    all: 'All',
    mine: 'Mine',
    'at-risk': 'At risk',
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
  } satisfies Record<Sort, string>,
  sortLabel: 'Sort',
  searchLabel: 'Search by title or account',
  statusLabel: 'Status',
  anyStatus: 'Any status',
  openStatus: 'Open',
  healthLabel: 'Health',
  anyHealth: 'Any health',
  notJudged: 'Not judged',

  back: 'Success plans',
  missingTitle: 'This plan does not exist',
  missing: 'It may have been deleted, or it belongs to another organisation.',
  notThisTitle: 'This plan is not on this device yet',
  notThis: (plans: number) =>
    plans === 0
      ? 'Connect once, and it will be here the next time.'
      : `Connect once, and it will be here the next time. ${count(plans, 'other plan')} can be opened now.`,
  openList: 'Show what is here',
  loadingPlan: 'Loading the plan',
  planFailedTitle: 'This plan could not be loaded',
  parts: 'Parts of this plan',
  loadingPart: 'Loading',
  updatesTab: 'Updates',
  initiativesTab: 'Initiatives',
  actionsDone: (done: number, all: number) => `${done}/${all}`,
  actionsDoneSpoken: (done: number, all: number) => `${done} of ${all} actions done`,
  facts: 'About this plan',
  account: 'Account',
  owner: 'Owner',
  type: 'Type',
  typeOf: (type: string) => `${capitalised(type)} plan`,
  starts: 'Start',
  endsLabel: 'End',
  cadence: 'Update rhythm',
  cadenceDays: (days: number) => `Every ${days} days`,
  outcome: 'Outcome',
  outcomeOf: (outcome: string) => capitalised(outcome.replaceAll('-', ' ')),
  description: 'Description',
  criteria: 'Success criteria',
  none: '–',
  day: fullDay,
  timeGone: (gone: number) => `${gone}% of the time gone`,
  progress: 'Progress',
  changeStatus: 'Change status',
  newWaits: 'This plan was made here.',
  editWaits: 'This plan was changed here.',
  deleteConsequence:
    'Its updates, initiatives and actions go with it, for everybody in the organisation.',
} as const
