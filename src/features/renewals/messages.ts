import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { dayOf, fullDay, shortDay } from '../../ui/text/dates.ts'
import { formatCount, formatMoney, formatNumber } from '../../ui/text/format.ts'

/** Texts of the renewals view. */
export const renewalMessages = {
  title: 'Renewals',
  lead: 'Renewals due this quarter and in the next two.',
  back: 'Home',
  loading: 'Loading the renewals',
  failedTitle: 'The renewals could not be loaded',
  failed: 'Nothing is lost. Try again in a moment.',
  retry: 'Try again',
  notHereTitle: 'The renewals are not on this device yet',
  notHere: 'They are downloaded as soon as you are online.',
  incomplete:
    'Not all plans and actions are on this device: a risk or a next action may be missing here.',
  searchLabel: 'Search by account or owner',
  risks: { '': 'Any risk', risky: 'At risk or off track', none: 'No known risk' },
  days: {
    '': 'Any date',
    passed: 'Date has passed',
    '30': 'Within 30 days',
    '90': 'Within 90 days',
    '180': 'Within 180 days',
  },
  groups: { '': 'Quarter', month: 'Month', owner: 'Owner', risk: 'Risk', none: 'No groups' },
  show: (shown: number) => `Show ${formatCount(shown, 'renewal')}`,
  shown: (shown: number, all: number) =>
    shown === all
      ? formatCount(all, 'renewal')
      : `${formatNumber(shown)} of ${formatCount(all, 'renewal')}`,
  noMatchTitle: 'No renewals match',
  noMatch: 'Try a different search, or fewer filters.',
  clear: 'Show all renewals',
  passed: 'Passed without an outcome',
  totals: (totals: readonly { currency: string; amount: number; atRisk: number }[]) =>
    totals
      .map(({ currency, amount, atRisk }) =>
        atRisk > 0
          ? `${formatMoney(amount, currency)}, ${formatMoney(atRisk, currency)} at risk`
          : formatMoney(amount, currency),
      )
      .join(' · '),
  money: formatMoney,
  day: fullDay,
  inDays: (days: number) => (days === 0 ? 'today' : `in ${formatCount(days, 'day')}`),
  passedFor: (days: number) => `${formatCount(days, 'day')} ago`,
  noAmount: 'No amount',
  noRisk: 'No known risk',
  owner: (name: string) => sentence`Owner: ${name}`,
  noOwner: 'No owner',
  table: 'Renewals',
  select: 'Select renewals',
  selectRow: (account: string) => sentence`Select ${account}`,
  columns: {
    name: 'Account',
    day: 'Renewal',
    amount: 'ARR',
    risk: 'Risk',
    owner: 'Owner',
    next: 'Next action',
    outcome: 'Outcome',
  },
  next: (action: string) => `Next: ${action}`,
  action: (title: string, name: string | undefined) => [title, name].filter(Boolean).join(', '),
  actionDue: (day: string, isLate: boolean) =>
    `${isLate ? 'overdue since' : 'due'} ${shortDay(day)}`,
  /** In the table, whose cells have less room. */
  actionDueShort: (day: string, isLate: boolean) =>
    `${isLate ? 'overdue' : 'due'} ${shortDay(day)}`,
  noAction: 'No next action',
  record: 'Record outcome',
  recordFor: (account: string) => `Record outcome: ${account}`,
  more: (left: number) => `Show ${formatNumber(left)} more`,
  emptyTitle: 'No renewals are due',
  empty: 'Accounts whose renewal is in this quarter or the next two appear here.',
  accounts: 'View accounts',
} as const satisfies Messages

/** Texts of the form for an outcome, and of the history of outcomes. */
export const outcomeMessages = {
  title: 'Outcome of the renewal',
  due: (account: string, day: string) => `${account}, due on ${fullDay(day)}`,
  fields: {
    outcome: 'Outcome',
    amount: 'Amount per year',
    next_date: 'Next renewal',
    note: 'Note',
  },
  amountHint: (currency: string) => `In ${currency}.`,
  otherCurrency: (currency: string) => `Enter the amount in ${currency}, as the account has it.`,
  outcomes: { renewed: 'Renewed', moved: 'Moved to a later date', churned: 'Churned' },
  churnedHint: 'The account is set to churned and leaves the lists of renewals.',
  nextMissing: 'Enter the date of the next renewal.',
  nextTooEarly: 'The next renewal must be after this one.',
  save: 'Save outcome',
  history: 'Past renewals',
  renewedAt: (amount: string | undefined, until: string | null) =>
    `Renewed${amount === undefined ? '' : ` at ${amount}`}${until === null ? '' : ` until ${fullDay(until)}`}`,
  movedTo: (day: string | null) => (day === null ? 'Moved' : `Moved to ${fullDay(day)}`),
  churned: 'Churned',
  recorded: (name: string | undefined, at: string | null) =>
    [name, at === null ? undefined : fullDay(dayOf(at))].filter(Boolean).join(', '),
  day: fullDay,
  money: formatMoney,
} as const satisfies Messages
