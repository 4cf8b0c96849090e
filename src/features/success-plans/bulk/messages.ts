import type { Messages } from '../../../../contract/text/catalogue.ts'
import { isolate, sentence } from '../../../../contract/text/sentence.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import type { PlanStatus } from '../../../../contract/values.ts'
import { shortDay } from '../../../ui/text/dates.ts'
import { formatCount, formatNumber, labelOf } from '../../../ui/text/format.ts'
import type { LeftOut, PlanChange } from './plan-change.ts'

const inWords = (word: string) => word.replaceAll('-', ' ')
const plansOf = (count: number) => formatCount(count, 'plan')
/** The title of a single plan, the number of several. */
const named = (plans: readonly SuccessPlan[]) => {
  const [only] = plans
  return plans.length === 1 && only ? `“${isolate(only.title)}”` : plansOf(plans.length)
}
const FIELDS: Record<PlanChange['kind'], string> = {
  owner: 'Owner',
  end: 'End date',
  move: 'End date',
  status: 'Status',
  health: 'Health',
}

/** Texts about selecting plans, and about changing one or many of them from the list. */
export const bulkMessages = {
  owner: 'Owner',
  endDate: 'End date',
  status: 'Status',
  health: 'Health',
  exportCsv: 'Export CSV',
  noMembers: 'The members are not on this device yet.',
  statusOption: (status: string, allowed: number, all: number) =>
    allowed === all || allowed === 0
      ? labelOf(status)
      : `${labelOf(status)} (${formatNumber(allowed)} of ${formatNumber(all)})`,
  notAllowed: 'Their present status does not allow it.',
  healthOption: labelOf,

  ownerOf: (title: string, owner: string | undefined) =>
    sentence`Owner of “${title}”: ${owner ?? 'none'}`,
  endOf: (title: string, day: string | null) =>
    sentence`End date of “${title}”: ${day === null ? 'none' : shortDay(day)}`,
  statusOf: (title: string, status: string) => sentence`Status of “${title}”: ${inWords(status)}`,
  healthOf: (title: string, health: string | null) =>
    sentence`Health of “${title}”: ${health === null ? 'not rated' : inWords(health)}`,
  noTransition: 'This status has no further steps.',

  statusTitle: (status: PlanStatus, plans: number) =>
    ({
      planned: `Restore ${plansOf(plans)} as planned`,
      'in-progress': `Set ${plansOf(plans)} in progress`,
      paused: `Pause ${plansOf(plans)}`,
      completed: `Complete ${plansOf(plans)}`,
      cancelled: `Cancel ${plansOf(plans)}`,
    })[status],
  healthTitle: (health: string, plans: readonly SuccessPlan[]) =>
    `Set ${named(plans)} to ${inWords(health)}`,
  noteForOne: 'What has changed? This is posted to the feed.',
  noteForMany: 'One note for all of them. It is posted to the feed of each plan.',
  healthNoteMissing: 'Say in a sentence what has changed.',

  endTitle: (plans: number) => `End date of ${plansOf(plans)}`,
  endHow: 'New end date',
  endOnDay: 'On one day',
  endMoved: 'Move each one',
  endNone: 'No end date',
  day: 'Day',
  moveBy: 'By',
  unit: 'Unit',
  units: { days: 'days', weeks: 'weeks' },
  direction: 'Direction',
  directions: { later: 'later', earlier: 'earlier' },
  skipWeekends: (plans: number) =>
    plans === 1
      ? '1 end is on a weekend. Move it on to the next working day.'
      : `${formatCount(plans, 'end')} are on a weekend. Move them on to the next working day.`,
  badDay: 'Enter a complete date.',
  badMove: 'Enter a whole number from 1 to 999.',
  dayTooEarly: (first: string) => `Enter a date from ${shortDay(first)} on.`,
  change: (plans: number) => `Change ${plansOf(plans)}`,
  save: 'Save',
  cancel: 'Cancel',

  leftOut: (plans: number) =>
    plans === 1 ? 'One plan stays as it is:' : `${plansOf(plans)} stay as they are:`,
  leftOutPlan: ({ plan, reason }: LeftOut, change: PlanChange) => {
    if (reason === 'transition') return sentence`${plan.title} (${inWords(plan.status)})`
    if (reason === 'no-end') return sentence`${plan.title} (no end date)`
    if (reason === 'before-start')
      return sentence`${plan.title} (starts ${plan.start_date ? shortDay(plan.start_date) : ''})`
    const already =
      change.kind === 'status' ? change.status : change.kind === 'health' ? change.health : 'so'
    return sentence`${plan.title} (already ${inWords(already)})`
  },
  leftOutMore: (plans: number) => `and ${formatNumber(plans)} more`,
  plans: plansOf,
  nothingToChange: 'No selected plan would change.',
  changed: (change: PlanChange, plans: readonly SuccessPlan[]) =>
    `${FIELDS[change.kind]} of ${named(plans)} changed`,
  failed: 'This could not be saved on this device. Free some space, then try again.',
} as const satisfies Messages
