import { fullDay, moment, shortDay } from '../../../ui/text/dates.ts'
import type { ReviewReason } from './candidates.ts'

const NUMBER = new Intl.NumberFormat('en')
const count = (many: number, one: string) =>
  `${NUMBER.format(many)} ${many === 1 ? one : `${one}s`}`

/** What the review says. */
export const reviewMessages = {
  title: 'Review',
  leave: 'Leave the review',
  leaveShort: 'Leave',
  loading: 'Loading the plans',
  lead: 'Go through the plans that need a word, one after the other. It works without a network, and can be left and taken up again.',
  which: 'Which plans',
  reasons: {
    overdue: 'Overdue',
    'at-risk': 'At risk or off track',
    stale: 'Without an update for too long',
  } satisfies Record<ReviewReason, string>,
  number: (value: number) => NUMBER.format(value),
  whose: 'Whose plans',
  onlyMine: 'Only mine',
  everybody: 'Mine first, then everybody’s',
  begin: (plans: number) => (plans === 0 ? 'No plan to review' : `Review ${count(plans, 'plan')}`),
  goOnTitle: 'A review was begun here',
  goOnAt: (at: number, all: number) =>
    `You were at plan ${NUMBER.format(at)} of ${NUMBER.format(all)}.`,
  goOn: 'Go on',
  noneTitle: 'No plan needs a word',
  none: 'Nothing is overdue, at risk or without an update for too long.',
  toList: 'Back to the plans',

  place: (at: number, all: number) => `${NUMBER.format(at)} of ${NUMBER.format(all)}`,
  placeSpoken: (at: number, all: number) => `Plan ${NUMBER.format(at)} of ${NUMBER.format(all)}`,
  offline: 'Offline',
  savedFor: (title: string) => `Saved on this device: “${title}”`,
  ends: (day: string) => `Ends ${shortDay(day)}`,
  lastUpdate: 'Last update',
  noUpdate: 'Nobody has written an update yet.',
  updatesNotHere: 'Its updates are not on this device yet.',
  written: (at: string) => moment(at),
  openActions: 'Open actions',
  noActions: 'No open action.',
  due: (day: string) => `Due ${shortDay(day)}`,
  dueSpoken: fullDay,
  overdueAction: 'Overdue',
  moreActions: (more: number) => `and ${NUMBER.format(more)} more`,
  openPlan: 'Open the plan',
  gone: 'This plan was deleted meanwhile.',
  alreadySaid: (body: string) =>
    body === '' ? 'You have posted an update in this review.' : `You said: ${body}`,

  noChange: 'No change, on track',
  noChangeBody: 'No change, on track.',
  noChangeFailed: 'This could not be saved on the device. Try again, or leave and free some space.',
  back: 'Back',
  first: 'This is the first plan.',
  skip: 'Skip',
  next: 'Next',
  finish: 'Finish',
  keys: (mac: boolean) =>
    mac
      ? '← back · → skip · ⌘ ⇧ Return no change, on track'
      : '← back · → skip · Ctrl + Shift + Enter no change, on track',

  summaryTitle: 'Review done',
  summary: (said: number, all: number) => `${count(said, 'update')} on ${count(all, 'plan')}.`,
  waiting: (updates: number) =>
    `${count(updates, 'update')} will be sent as soon as there is a network.`,
  sending: (updates: number) => `${count(updates, 'update')} on the way.`,
  allSent: 'Everything is sent.',
  attention: (updates: number) => `${count(updates, 'update')} need attention, see the plan.`,
  said: 'What was said',
  changed: 'Changes without a text',
  skipped: 'Skipped',
  again: (plans: number) => `Go through the ${count(plans, 'skipped plan')}`,
} as const
