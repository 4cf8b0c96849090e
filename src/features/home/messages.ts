import { daysBetween } from '../../../contract/rules.ts'
import { ago, moment, shortDay } from '../../ui/text/dates.ts'

const NUMBER = new Intl.NumberFormat('en')
const count = (many: number, one: string) =>
  `${NUMBER.format(many)} ${many === 1 ? one : `${one}s`}`

/** `today`, `tomorrow`, else `Mar 1`. */
function soon(day: string, today: string): string {
  const days = daysBetween(today, day)
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : shortDay(day)
}

/** Everything that the home screen says. */
export const homeMessages = {
  title: 'Home',
  heading: (name: string) => (name === '' ? 'What needs you' : `What needs you, ${name}`),
  upToDate: (at: number) => `Up to date · synced ${moment(at)}`,
  asOf: (at: number) => `Offline · as of ${moment(at)}`,

  overdue: 'Overdue and urgent',
  next: 'Up next',
  risky: 'At risk or stale',
  review: 'Review one by one',
  renewals: 'Renewals in 90 days',
  waiting: 'Waiting to sync',
  number: (value: number) => NUMBER.format(value),
  more: (left: number) => `Show ${NUMBER.format(left)} more`,

  tick: (title: string) => `Done: ${title}`,
  failed: 'This could not be saved on the device.',
  overdueBy: (day: string, today: string) => `${count(daysBetween(day, today), 'day')} overdue`,
  due: (day: string, today: string) => `Due ${soon(day, today)}`,
  ends: (day: string, today: string) => `Ends ${soon(day, today)}`,
  renews: (day: string, today: string) => `Renews ${soon(day, today)}`,
  highPriority: 'High priority',
  percent: (value: number) => `${value}%`,
  staleSince: (last: string) => `No update since ${ago(last)}`,
  arr: (amount: number, currency: string) =>
    new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      maximumFractionDigits: 0,
    }).format(amount),

  calmTitle: 'Nothing needs you right now',
  calm: 'Nothing of yours is overdue, at risk or due in the next two weeks.',
  allPlans: 'Look at all plans',

  attention: (refused: number) =>
    `${count(refused, 'change')} ${refused === 1 ? 'needs' : 'need'} attention`,
  changes: (waiting: number) => `${count(waiting, 'change')} saved on this device`,
  sentWhenOnline: 'sent as soon as there is a network',
  sentSoon: 'on the way',
  andMore: (more: number) => `and ${NUMBER.format(more)} more`,

  byStatus: 'Plans by status',
  byHealth: 'Open plans by health',
  notJudged: 'Not judged',
  plans: (plans: number) => (plans === 1 ? 'plan' : 'plans'),

  loading: 'Loading what needs you',
  emptyTitle: 'Set the first stone',
  empty: 'A success plan says what a customer wants to reach, by when, and how far you are.',
  firstSteps: 'First steps',
  steps: {
    account: 'Add an account',
    accountWhy: 'A customer, with its renewal and its people.',
    plan: 'Create a success plan',
    planWhy: 'With dates and criteria, from a template or from nothing.',
    templates: 'Look at the templates',
    templatesWhy: 'What a plan of a kind usually consists of.',
    onboarding: 'Set up step by step',
    onboardingWhy: 'You, your colleagues, a first account and plan, and the app on your phone.',
  },
  notHereTitle: 'Your plans are not on this device yet',
  notHere: 'They are downloaded as soon as there is a network. You can already write a new plan.',
  newPlan: 'New plan',
  failedTitle: 'Your plans could not be loaded',
  failedLead: 'Nothing is lost. Check the connection and try again.',
  retry: 'Try again',
} as const
