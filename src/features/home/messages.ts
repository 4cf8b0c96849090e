import { daysBetween } from '../../../contract/rules.ts'
import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { ago, shortDay } from '../../ui/text/dates.ts'
import { formatCount, formatMoney, formatNumber, formatPercent } from '../../ui/text/format.ts'

/** `today`, `tomorrow`, otherwise `Mar 1`. */
function soon(day: string, today: string): string {
  const days = daysBetween(today, day)
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : shortDay(day)
}

/** Texts of the home screen. */
export const homeMessages = {
  title: 'Home',
  heading: (name: string) =>
    name === '' ? 'What needs your attention' : sentence`What needs your attention, ${name}`,

  overdue: 'Overdue and urgent',
  next: 'Up next',
  atRiskOrStale: 'At risk, off track or stale',
  review: 'Review',
  renewalsTitle: 'Renewals',
  renewals: 'Renewals within 90 days',
  allRenewals: 'Renewals by quarter',
  renewalPassed: (day: string) => `Renewal passed ${shortDay(day)}`,
  waiting: 'Waiting to sync',
  number: formatNumber,
  more: (left: number) => `Show ${formatNumber(left)} more`,

  tick: (title: string) => sentence`Done: ${title}`,
  failed: 'This could not be saved on this device.',
  overdueBy: (day: string, today: string) =>
    `${formatCount(daysBetween(day, today), 'day')} overdue`,
  due: (day: string, today: string) => `Due ${soon(day, today)}`,
  ends: (day: string, today: string) => `Ends ${soon(day, today)}`,
  renews: (day: string, today: string) => `Renews ${soon(day, today)}`,
  highPriority: 'High priority',
  percent: formatPercent,
  staleSince: (last: string) => `Last update ${ago(last)}`,
  arr: formatMoney,

  onlyRenewals: 'Only renewals need your attention right now.',
  allClearTitle: 'Nothing needs your attention right now',
  allClear: 'Nothing of yours is overdue, at risk or due in the next two weeks.',
  allPlans: 'View all plans',

  attention: (refused: number) =>
    `${formatCount(refused, 'change')} ${refused === 1 ? 'needs' : 'need'} attention`,
  changes: (waiting: number) => `${formatCount(waiting, 'change')} saved on this device`,
  sent: {
    online: 'being sent',
    offline: 'sent when you are online',
    'not-understood': 'sent once the server works again',
  },
  andMore: (more: number) => `and ${formatNumber(more)} more`,

  byStatus: 'Plans by status',
  byHealth: 'Open plans by health',
  noHealth: 'Not rated',
  plans: (plans: number) => (plans === 1 ? 'plan' : 'plans'),

  loading: 'Loading your overview',
  arriving: 'More is still being downloaded…',
  emptyTitle: 'No success plans yet',
  empty:
    'A success plan says what a customer wants to achieve, by when, and how far along you are.',
  firstSteps: 'First steps',
  steps: {
    account: 'Add an account',
    accountWhy: 'A customer, with its renewal and contacts.',
    import: 'Import your accounts',
    importWhy: 'From a CSV file that a spreadsheet or another program wrote.',
    importPlans: 'Import your plans',
    importPlansWhy: 'From a CSV file, with their status and past updates.',
    plan: 'Create a success plan',
    planWhy: 'With dates and criteria, from a template or from scratch.',
    templates: 'Browse templates',
    templatesWhy: 'Reusable plans: initiatives, actions and dates.',
    onboarding: 'Set up step by step',
    onboardingWhy: 'You, your colleagues, a first account and plan, and the app on your phone.',
  },
  notHereTitle: 'Your plans are not on this device yet',
  notHere: 'They are downloaded as soon as you are online. You can already create a plan.',
  newPlan: 'New plan',
  notAllHereTitle: 'Not all of your work is on this device yet',
  notAllHere: 'It is downloaded as soon as you are online.',
  notAllTitle: 'Not all of your work could be loaded',
  failedTitle: 'Your plans could not be loaded',
  failedLead: 'Nothing is lost. Try again in a moment.',
  retry: 'Try again',
} as const satisfies Messages
