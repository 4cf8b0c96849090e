import type { ReviewReason } from './candidates.ts'
import { ENTER, IS_MAC, withModifier } from '../../../ui/platform/keyboard.ts'
import type { Messages } from '../../../../contract/text/catalogue.ts'
import { sentence } from '../../../../contract/text/sentence.ts'
import { fullDay, moment, shortDay } from '../../../ui/text/dates.ts'
import { formatCount, formatNumber, labelOf } from '../../../ui/text/format.ts'

const inWords = (word: string) => word.replaceAll('-', ' ')

/** Texts of the review. */
export const reviewMessages = {
  title: 'Review',
  leave: 'Leave review',
  leaveShort: 'Leave',
  loading: 'Loading the plans',
  lead: 'Go through the plans that need an update, one by one. It works offline, and you can stop and continue later.',
  planFilter: 'Which plans',
  reasons: {
    overdue: 'Overdue',
    'at-risk': 'At risk or off track',
    stale: 'No update for too long',
  } satisfies Record<ReviewReason, string>,
  number: formatNumber,
  ownerFilter: 'Whose plans',
  onlyMine: 'Only mine',
  allPlans: 'Mine first, then everyone’s',
  start: (plans: number) =>
    plans === 0 ? 'No plans to review' : `Review ${formatCount(plans, 'plan')}`,
  resumeTitle: 'Unfinished review',
  resumeAt: (at: number, all: number) =>
    `You were at plan ${formatNumber(at)} of ${formatNumber(all)}.`,
  resume: 'Continue',
  finishedTitle: 'Finished review',
  finished: 'Its summary is kept today, until you start another one.',
  showSummary: 'Show the summary',
  noneTitle: 'All plans are up to date',
  none: 'No plan is overdue, at risk or stale.',
  toList: 'Back to success plans',

  position: (at: number, all: number) => `${formatNumber(at)} of ${formatNumber(all)}`,
  positionSpoken: (at: number, all: number) => `Plan ${formatNumber(at)} of ${formatNumber(all)}`,
  savedFor: (title: string) => sentence`Saved on this device: “${title}”`,
  movedFor: (text: string, title: string) => sentence`Saved on this device: ${text} (“${title}”)`,
  undo: 'Undo',
  undoSpoken: (title: string) => sentence`Undo the last step on “${title}”`,
  undone: (title: string) => sentence`Undone: “${title}”`,
  undoTooLate: 'It is being sent, so it can no longer be undone.',
  ends: (day: string) => `Ends ${shortDay(day)}`,
  lastUpdate: 'Last update',
  noUpdate: 'No updates yet.',
  updatesNotHere: 'Its updates are not on this device yet.',
  written: (at: string) => moment(at),
  openActions: 'Open actions',
  noActions: 'No open actions.',
  due: (day: string) => `Due ${shortDay(day)}`,
  dueSpoken: fullDay,
  overdueAction: 'Overdue',
  moreActions: (more: number) => `Show ${formatNumber(more)} more`,
  tick: (title: string) => sentence`Done: ${title}`,
  reopen: (title: string) => sentence`Reopened: ${title}`,
  dueOf: (title: string) => sentence`Due date of “${title}”`,
  assigneeOf: (title: string) => sentence`Assignee of “${title}”`,
  unassigned: 'No assignee',
  assigned: (title: string, name: string | undefined) =>
    name === undefined ? sentence`“${title}” has no assignee` : sentence`“${title}” is for ${name}`,
  dueMoved: (title: string, day: string | null) =>
    day === null ? sentence`${title}: no due date` : sentence`${title}: due ${shortDay(day)}`,
  changes: 'Change the plan',
  owner: 'Owner',
  noOwner: 'No owner',
  me: (name: string) => sentence`${name} (you)`,
  ownedBy: (name: string) => sentence`Owner: ${name}`,
  ownerMoved: (name: string | undefined) => (name ? sentence`Owner: ${name}` : 'Owner changed'),
  endDate: 'End date',
  endMoved: (day: string | null) => (day === null ? 'No end date' : `Ends ${shortDay(day)}`),
  badDay: 'Enter a complete date.',
  dayNotSaved: (field: string, problem: string) => sentence`Not saved: ${field}. ${problem}`,
  dayTooEarly: (first: string) => `Enter a date from ${shortDay(first)} on.`,
  statusMoved: (from: string, to: string, note: string) =>
    `Status: ${inWords(from)} → ${inWords(to)}${note === '' ? '' : `. ${note}`}`,
  openPlan: 'Open the plan',
  deleted: 'This plan has been deleted.',
  alreadyPosted: (body: string) =>
    body === '' ? 'You have posted an update in this review.' : `You wrote: ${body}`,

  noChange: (health: string | null) => (health ? `No change, ${inWords(health)}` : 'No change'),
  noChangeBody: (health: string | null) =>
    health ? `No change, ${inWords(health)}.` : 'No change.',
  backOnTrack: 'Back on track',
  backOnTrackHint: 'What has changed? This is posted to the feed.',
  backOnTrackMissing: 'Say in a sentence what has changed.',
  note: 'Note',
  cancel: 'Cancel',
  notSaved: (text: string, title: string) => sentence`Not saved: ${text} (“${title}”)`,
  stepFailed: 'This could not be saved on this device. Try again, or leave and free some space.',
  back: 'Back',
  first: 'This is the first plan.',
  skip: 'Skip',
  next: 'Next',
  finish: 'Finish',
  keys: `← back · → skip · ${withModifier(`${IS_MAC ? '⇧' : 'Shift +'} ${ENTER}`)} no change`,

  summaryTitle: 'Review done',
  summary: (posted: number, all: number) =>
    `${formatCount(posted, 'update')} on ${formatCount(all, 'plan')}.`,
  pending: {
    online: (changes: number) => `Sending ${formatCount(changes, 'change')}.`,
    offline: (changes: number) =>
      `${formatCount(changes, 'change')} will be sent when you are online.`,
    'not-understood': (changes: number) =>
      `${formatCount(changes, 'change')} will be sent once the server works again.`,
  },
  allSent: 'All changes sent.',
  attention: (changes: number) =>
    `${formatCount(changes, 'change')} ${changes === 1 ? 'needs' : 'need'} attention: see the plan.`,
  posted: 'Posted',
  moved: 'Changed',
  changed: 'Changes without a note',
  skipped: 'Skipped',
  needs: 'Needs someone',
  needsPerson: (person: string) => `Needs ${person}`,
  noNeeds: 'Nothing is overdue or at risk.',
  needsUnread: 'Overdue actions are missing here: the actions have not been read.',
  needHealth: labelOf,
  needOverdue: 'Overdue',
  needAction: (action: string, day: string) => sentence`${action}, overdue since ${shortDay(day)}`,
  textTitle: (day: string) => `Review of ${fullDay(day)}`,
  textLine: (plan: string, texts: readonly string[]) => `${plan}: ${texts.join('; ')}`,
  textShortened: 'The rest is left out here: copy the summary to send all of it.',
  copy: 'Copy summary',
  copied: 'Summary copied',
  copyFailed: 'The browser blocked copying. Email the summary instead.',
  mail: 'Email summary',
  post: 'Post summary to a plan',
  postTo: 'Plan',
  planOf: (title: string, account: string | undefined) =>
    account === undefined ? title : sentence`${title} · ${account}`,
  postHint: 'The summary is posted as an update, which everyone in the organisation can read.',
  tooLong: 'It is too long for one, so its end is left out.',
  postShortened: 'The rest is left out here.',
  postAction: 'Post',
  summaryPosted: (title: string) => sentence`Saved on this device: “${title}”`,
  reviewSkipped: (plans: number) => `Review the ${formatCount(plans, 'skipped plan')}`,
} as const satisfies Messages
