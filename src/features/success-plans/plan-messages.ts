// What is said of one plan: its feed, its changes, its forms; and what leaves the app.
import { clockTime, fullDay, moment, sameDay, shortDay } from '../../ui/text/dates.ts'
import { statusMessages } from '../../widgets/status/messages.ts'

const NUMBER = new Intl.NumberFormat('en')
const count = (many: number, one: string, more = `${one}s`) =>
  `${NUMBER.format(many)} ${many === 1 ? one : more}`

/** What the chart of a plan's progress says. */
export const chartMessages = {
  title: 'Progress over time',
  label: (title: string) => `Progress of ${title} over time`,
  time: 'Date',
  value: 'Progress',
  even: 'Time gone',
  moment: (at: number) => fullDay(new Date(at).toISOString().slice(0, 10)),
  percent: (value: number) => `${value}%`,
} as const

/** What the update feed and its composer say. */
export const updateMessages = {
  feed: 'Updates',
  label: 'Update',
  hint: 'What happened, what is next, what do you need? **Bold**, *italic*, `code`, - lists and links work.',
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
    from === null
      ? statusMessages.status(to)
      : `${statusMessages.status(from)} → ${statusMessages.status(to)}`,
  edit: 'Edit',
  editLabel: 'Edit the update',
  editTooLate: 'It was sent meanwhile, so it can no longer be changed.',
  save: 'Save',
  cancel: 'Cancel',
  saveAndResend: 'Save and send again',
} as const

/** What the change of a status asks. */
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

/** What the form of a plan says. */
export const planFormMessages = {
  title: 'New success plan',
  lead: 'What should be reached, for whom, and by when.',
  editTitle: 'Edit plan',
  toThePlan: 'Back to the plan',
  fields: {
    title: 'Title',
    type: 'Type',
    template_id: 'Template',
    account_id: 'Account',
    owner_id: 'Owner',
    start_date: 'Start date',
    end_date: 'End date',
    progress_mode: 'Progress',
    update_cadence_days: 'Update rhythm',
    description: 'Description',
    success_criteria: 'Success criteria',
  },
  noAccount: 'Choose an account',
  newAccount: 'New account',
  me: (name: string) => `${name} (you)`,
  byUpdates: 'Set by updates',
  byActions: 'Follows the actions',
  noCadence: 'No rhythm of its own',
  descriptionHint: 'Where the customer stands today, and why this matters to them.',
  criteriaHint: 'How both sides will know that it worked. One criterion a line.',
  create: 'Create plan',
  save: 'Save changes',
} as const

/** What a new account asks while a plan is made. */
export const newAccountMessages = {
  title: 'New account',
  lead: 'Its name is enough for now. The rest can be said on its own page.',
  name: 'Name',
  create: 'Add account',
} as const

/** What the list as a whole offers. */
export const listMenuMessages = {
  review: 'Review',
  more: 'More for this list',
  exportShown: 'Export as CSV',
  nothingToExport: 'There is no plan yet.',
  exported: (plans: number) => `${count(plans, 'plan')} exported`,
  import: 'Import plans',
} as const

/** What stands in an exported list beside the fields of a plan. */
export const csvMessages = {
  fileName: (day: string) => `success-plans-${day}.csv`,
  yes: 'yes',
  lastUpdate: 'Last update',
  actionsDone: 'Actions done',
  actions: 'Actions',
  link: 'Link',
} as const

/** What the printed sheet of a plan says. */
export const printMessages = {
  item: 'Print sheet',
  print: 'Print',
  asOf: (at: number) => `As of ${moment(at)}`,
  initiatives: 'Initiatives and actions',
  updates: 'Updates',
  written: (at: string) => moment(at),
  done: 'Done',
  open: 'Open',
  due: (day: string) => `Due ${shortDay(day)}`,
} as const

/** What sharing a plan's link says. */
export const shareMessages = {
  share: 'Share link',
  copy: 'Copy link',
  copied: 'Link copied. It opens for members of this organisation.',
  refused: (url: string) => `The browser refused. The link is ${url}`,
} as const
