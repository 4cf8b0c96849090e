import { ago, clockTime, fullDay, moment, sameDay, shortDay } from '../../ui/dates.ts'
import type { Sort, View } from './view.ts'

const NUMBER = new Intl.NumberFormat('en')
const count = (many: number, one: string, more = `${one}s`) =>
  `${NUMBER.format(many)} ${many === 1 ? one : more}`

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Everything that the screens of success plans say. */
export const planWords = {
  title: 'Success plans',
  number: (value: number) => NUMBER.format(value),
  shown: (shown: number, all: number) =>
    shown === all ? count(all, 'plan') : `${NUMBER.format(shown)} of ${count(all, 'plan')}`,
  newPlan: 'New plan',
  statusOption: (status: string) => capitalised(status.replaceAll('-', ' ')),
  status: (status: string) => status.replaceAll('-', ' '),
  health: (health: string) => capitalised(health.replaceAll('-', ' ')),
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
} as const

/** What the update feed and its composer say. */
export const updateWords = {
  feed: 'Updates',
  label: 'Update',
  hint: 'What happened, what is next, what do you need?',
  post: 'Post update',
  shortcut: (mac: boolean) => (mac ? '⌘ Return posts' : 'Ctrl + Enter posts'),
  progress: 'Progress',
  keepProgress: (value: number) => `Stays at ${value}%`,
  progressChange: (from: number, to: number) => `${from} → ${to}%`,
  more: (step: number) => `+${step}`,
  moreSpoken: (step: number) => `${step} per cent more`,
  undoProgress: 'Leave progress as it is',
  health: 'Health',
  healthSame: 'No change',
  autoProgress: 'Progress follows the actions of this plan.',
  draftRestored: 'Draft restored',
  discardDraft: 'Discard',
  full: 'The device is full, so this is not saved. Your text is still here: copy it, free some space, and post it again.',
  failed: 'This could not be saved on the device. Your text is still here.',
  copy: 'Copy the text',
  copied: 'Copied',
  copyFailed: 'Copying was refused by the browser. Select the text and copy it by hand.',
  loading: 'Loading the updates',
  emptyTitle: 'No updates yet',
  empty: 'The first one tells the team where this plan stands.',
  notHere: 'Older updates are not on this device yet. What you post here is kept and sent later.',
  feedFailed: 'The updates could not be loaded.',
  written: (written_at: string) => moment(written_at),
  writtenAndSynced: (written_at: string, created_at: string) =>
    `Written ${moment(written_at)} · synced ${
      sameDay(written_at, created_at) ? clockTime(created_at) : moment(created_at)
    }`,
  progressFact: (from: number | null, to: number) =>
    from === null || from === to ? `Progress ${to}%` : `Progress ${from} → ${to}%`,
  statusFact: (from: string | null, to: string) =>
    from === null ? planWords.status(to) : `${planWords.status(from)} → ${planWords.status(to)}`,
  edit: 'Edit',
  undo: 'Undo',
  putBack: 'Put back',
  editLabel: 'Edit the update',
  copyShort: 'Copy',
  save: 'Save',
  cancel: 'Cancel',
  saveAndResend: 'Save and send again',
  resend: 'Send again',
  discard: 'Discard',
  undone: 'Update taken back',
  serverSaid: (words: string) => `The server said: ${words}`,
} as const

/** What the change of a status asks. */
export const transitionWords = {
  to: {
    planned: 'Restore as planned',
    'in-progress': 'Start work',
    paused: 'Pause',
    completed: 'Complete',
    cancelled: 'Cancel plan',
  },
  resume: 'Resume',
  reopen: 'Reopen',
  title: (title: string) => `Change “${title}”`,
  note: 'Note',
  noteHint: 'Why does work stop? The team reads this in the feed.',
  noteMissing: 'Say why, in a sentence.',
  outcome: 'Outcome',
  outcomes: {
    achieved: 'Achieved',
    'partially-achieved': 'Partially achieved',
    missed: 'Missed',
  },
  outcomeHint: 'Achieved sets the progress to 100 %.',
  keep: 'Not now',
  saved: 'Saved on this device',
} as const

/** What the form of a new plan says. */
export const newPlanWords = {
  title: 'New success plan',
  lead: 'What should be reached, for whom, and by when.',
  fields: {
    title: 'Title',
    type: 'Type',
    account_id: 'Account',
    owner_id: 'Owner',
    start_date: 'Start date',
    end_date: 'End date',
    description: 'Description',
    success_criteria: 'Success criteria',
  },
  noAccount: 'Choose an account',
  me: (name: string) => `${name} (you)`,
  descriptionHint: 'Where the customer stands today, and why this matters to them.',
  criteriaHint: 'How both sides will know that it worked. One criterion a line.',
  summary: 'Please mend this first',
  create: 'Create plan',
  editTitle: 'Edit the new plan',
  saveAndResend: 'Save and send again',
  toThePlan: 'Back to the plan',
  sentMeanwhileTitle: 'This plan was sent meanwhile',
  sentMeanwhile: 'It was sent meanwhile, so it can be changed on its own page only.',
  offlineHint: 'Works without a network: it is sent later.',
  full: 'The device is full, so this is not saved. What you typed is still here: free some space, and create it again.',
} as const
