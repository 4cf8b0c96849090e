import type { ReviewReason } from './candidates.ts'
import { ENTER, IS_MAC, withModifier } from '../../../ui/platform/keyboard.ts'
import type { Messages } from '../../../../contract/text/catalogue.ts'
import { sentence } from '../../../../contract/text/sentence.ts'
import { fullDay, moment, shortDay } from '../../../ui/text/dates.ts'
import { formatCount, formatNumber } from '../../../ui/text/format.ts'

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
  noneTitle: 'All plans are up to date',
  none: 'No plan is overdue, at risk or stale.',
  toList: 'Back to success plans',

  position: (at: number, all: number) => `${formatNumber(at)} of ${formatNumber(all)}`,
  positionSpoken: (at: number, all: number) => `Plan ${formatNumber(at)} of ${formatNumber(all)}`,
  offline: 'Offline',
  savedFor: (title: string) => sentence`Saved on this device: “${title}”`,
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
  moreActions: (more: number) => `and ${formatNumber(more)} more`,
  openPlan: 'Open the plan',
  deleted: 'This plan has been deleted.',
  alreadyPosted: (body: string) =>
    body === '' ? 'You have posted an update in this review.' : `You wrote: ${body}`,

  noChange: 'No change, on track',
  noChangeBody: 'No change, on track.',
  noChangeFailed:
    'This could not be saved on this device. Try again, or leave and free some space.',
  back: 'Back',
  first: 'This is the first plan.',
  skip: 'Skip',
  next: 'Next',
  finish: 'Finish',
  keys: `← back · → skip · ${withModifier(`${IS_MAC ? '⇧' : 'Shift +'} ${ENTER}`)} no change, on track`,

  summaryTitle: 'Review done',
  summary: (said: number, all: number) =>
    `${formatCount(said, 'update')} on ${formatCount(all, 'plan')}.`,
  waiting: (updates: number) =>
    `${formatCount(updates, 'update')} will be sent when you are online.`,
  sending: (updates: number) => `Sending ${formatCount(updates, 'update')}.`,
  allSent: 'All updates sent.',
  attention: (updates: number) =>
    `${formatCount(updates, 'update')} ${updates === 1 ? 'needs' : 'need'} attention: see the plan.`,
  posted: 'Posted',
  changed: 'Changes without a note',
  skipped: 'Skipped',
  reviewSkipped: (plans: number) => `Review the ${formatCount(plans, 'skipped plan')}`,
} as const satisfies Messages
