// Texts about a single plan: chart, feed, forms; and of exports, printing and sharing.
import { DEFAULT_CADENCE_DAYS } from '../../../contract/rules.ts'
import { UNKNOWN_TIME } from '../../../contract/values.ts'
import { statusMessages } from '../../widgets/status/messages.ts'
import { ENTER, withModifier } from '../../ui/platform/keyboard.ts'
import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { clockTime, dayOf, fullDay, fullMoment, moment, sameDay } from '../../ui/text/dates.ts'
import {
  formatCount,
  formatEach,
  formatNumber,
  formatPercent,
  labelOf,
} from '../../ui/text/format.ts'

const timeOf = (written_at: string) =>
  written_at === UNKNOWN_TIME ? 'Time unknown' : moment(written_at)

/** Texts of the screen of a plan. */
export const planScreenMessages = {
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
  updatesTab: 'Updates',
  workTab: 'Work',
  aboutTab: 'About',
  actionsDone: (done: number, all: number) => `${done}/${all}`,
  actionsDoneSpoken: (done: number, all: number) => `${done} of ${all} actions done`,
  facts: 'About this plan',
  type: 'Type',
  typeOf: (type: string) => `${labelOf(type)} plan`,
  starts: 'Start',
  endsLabel: 'End',
  cadence: 'Update cadence',
  cadenceDays: (days: number) => `Every ${formatEach(days, 'day')}`,
  outcome: 'Outcome',
  outcomeOf: (outcome: string) => labelOf(outcome),
  description: 'Description',
  criteria: 'Success criteria',
  day: fullDay,
  timeElapsed: (gone: number) => `${formatPercent(gone)} of the time gone`,
  progress: 'Progress',
  changeStatus: 'Change status',
  createdHere: 'This plan was created on this device.',
  changedHere: 'This plan was changed on this device.',
  deleteConsequence:
    'Its updates, initiatives and actions are deleted too, for everyone in the organisation.',
} as const satisfies Messages

/** Texts of the progress chart. */
export const chartMessages = {
  title: 'Progress over time',
  label: (title: string) => sentence`Progress of ${title} over time`,
  time: 'Date',
  value: 'Progress',
  even: 'Time gone',
  moment: (at: number) => fullDay(dayOf(at)),
  percent: formatPercent,
} as const satisfies Messages

/** Texts of the update feed and its composer. */
export const updateMessages = {
  feed: 'Updates',
  label: 'Update',
  line: 'Write an update',
  hint: 'What happened, what is next, what do you need?',
  formatting: 'Formatting',
  formattingHint: '**Bold**, *italic*, `code`, lists that begin with “- ”, and links.',
  post: 'Post update',
  shortcut: `${withModifier(ENTER)} posts`,
  progress: 'Progress',
  keepProgress: (value: number) => `Stays at ${formatPercent(value)}`,
  progressChange: (from: number, to: number) => `${from} → ${formatPercent(to)}`,
  more: (step: number) => `+${step}`,
  moreSpoken: (step: number) => `${step} per cent more`,
  undoProgress: 'Leave progress as it is',
  health: 'Health',
  healthSame: 'No change',
  autoProgress: 'Progress follows the actions of this plan.',
  draftRestored: 'Draft restored',
  discardDraft: 'Discard',
  full: 'The device is full, so this is not saved. Your text is still here: copy it, free some space, then post it again.',
  failed: 'This could not be saved on this device. Your text is still here.',
  copy: 'Copy the text',
  copied: 'Copied',
  copyFailed: 'The browser blocked copying. Select the text and copy it by hand.',
  loading: 'Loading the updates',
  emptyTitle: 'No updates yet',
  empty: 'Post the first one to tell the team how the plan is going.',
  notHere: 'Older updates are not on this device yet. What you post here is saved and sent later.',
  evicted:
    'Older updates were removed to make room on this device. What you post here is saved and sent later.',
  partly: 'Not all updates of this plan are on this device yet.',
  feedFailed: 'The updates could not be loaded.',
  written: timeOf,
  writtenAndSynced: (written_at: string, created_at: string) =>
    `Written ${moment(written_at)} · synced ${
      sameDay(written_at, created_at) ? clockTime(created_at) : moment(created_at)
    }`,
  progressFact: (from: number | null, to: number) =>
    from === null || from === to
      ? `Progress ${formatPercent(to)}`
      : `Progress ${from} → ${formatPercent(to)}`,
  statusFact: (from: string | null, to: string) =>
    from === null
      ? statusMessages.status(to)
      : `${statusMessages.status(from)} → ${statusMessages.status(to)}`,
  edit: 'Edit',
  editLabel: 'Edit the update',
  editTooLate:
    'The update was sent, or edited or discarded in another tab, before this was saved. Copy your text to post it as another update.',
  save: 'Save',
  cancel: 'Cancel',
  discardText: 'Discard your text',
  saveAndResend: 'Save and send again',
} as const satisfies Messages

/** Texts of the dialog for a status change. */
export const transitionMessages = {
  to: {
    planned: 'Restore as planned',
    'in-progress': 'Start work',
    paused: 'Pause',
    completed: 'Complete',
    cancelled: 'Cancel plan',
  },
  resume: 'Resume',
  reopen: 'Reopen',
  title: (title: string) => sentence`Change “${title}”`,
  note: 'Note',
  noteHint: (status: string) => `Why is it ${status}? This is posted to the feed.`,
  noteMissing: 'Give the reason in a sentence.',
  outcome: 'Outcome',
  outcomes: {
    achieved: 'Achieved',
    'partially-achieved': 'Partially achieved',
    missed: 'Missed',
  },
  outcomeHint: `Achieved sets progress to ${formatPercent(100)}.`,
  keep: 'Not now',
  saved: 'Saved on this device',
} as const satisfies Messages

/** Texts of the plan form. */
export const planFormMessages = {
  title: 'New success plan',
  lead: 'What you want to achieve, for whom, by when.',
  editTitle: 'Edit plan',
  backToPlan: 'Back to the plan',
  startHint: 'Empty: counted back from the end, or today.',
  endHint: 'Empty: counted from the start.',
  endOnRenewal: (day: string) => `End on the renewal, ${fullDay(day)}`,
  proposedTitle: (template: string, account: string) => `${template}: ${account}`,
  progressMode: 'Progress',
  noAccount: 'Choose an account',
  newAccount: 'New account',
  me: (name: string) => sentence`${name} (you)`,
  progressBy: (mode: string) =>
    mode === 'manual' ? 'Set by updates' : mode === 'auto' ? 'Follows the actions' : labelOf(mode),
  noCadence: `Default (every ${DEFAULT_CADENCE_DAYS} days)`,
  descriptionHint: 'Where the customer stands today, and why this matters to them.',
  criteriaHint: 'How both sides will know that it worked. One per line.',
  create: 'Create plan',
  save: 'Save changes',
} as const satisfies Messages

/** Texts of the dialog that adds an account from the plan form. */
export const newAccountMessages = {
  title: 'New account',
  lead: 'A name is enough for now. You can add the rest on its own page.',
  name: 'Name',
  create: 'Add account',
} as const satisfies Messages

/** Texts of the CSV export, apart from field labels. */
export const csvMessages = {
  fileName: (day: string) => `success-plans-${day}.csv`,
  exported: (plans: number) => `${formatCount(plans, 'plan')} exported`,
  yes: 'yes',
  actionsDone: 'Actions done',
  actions: 'Actions',
  link: 'Link',
} as const satisfies Messages

/** Texts of the printed plan sheet. */
export const printMessages = {
  item: 'Print sheet',
  print: 'Print',
  saveFile: 'Save as a file',
  reading: 'Reading updates and actions.',
  incomplete:
    'Updates or actions of this plan are not on this device. They are missing from the sheet.',
  saved: 'Saved. The file opens in any browser, without a network.',
  /** Signs that file systems refuse are left out. */
  fileName: (title: string, day: string) =>
    `${
      title
        .replaceAll(/[^\p{L}\p{N} ._-]+/gu, '')
        .slice(0, 80)
        .trim() || 'plan'
    } ${day}.html`,
  timeGone: 'Time gone',
  /** With the day and the year: paper and files are read later. */
  asOf: (at: number) => `As of ${fullMoment(at)}`,
  written: (at: string) => (at === UNKNOWN_TIME ? timeOf(at) : fullMoment(at)),
  shows: 'The sheet shows',
  sections: {
    facts: 'Progress, dates and goals',
    work: 'Initiatives and actions',
    health: 'Health',
  },
  chooseUpdates: (chosen: number, all: number) =>
    `Updates on the sheet: ${formatNumber(chosen)} of ${formatNumber(all)}`,
  updateOf: (at: string, body: string) => `${timeOf(at)}: ${body.slice(0, 100)}`,
  initiatives: 'Initiatives and actions',
  updates: 'Updates',
  done: 'Done',
  open: 'Open',
  due: (day: string) => `Due ${fullDay(day)}`,
} as const satisfies Messages

/** Texts about sharing a link to a plan. */
export const shareMessages = {
  share: 'Share link',
  copy: 'Copy link',
  copied: 'Link copied. It opens for members of this organisation.',
  refused: (url: string) => `The browser blocked copying. The link is ${url}`,
} as const satisfies Messages
