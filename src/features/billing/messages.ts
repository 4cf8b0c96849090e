import { fullDay } from '../../ui/text/dates.ts'

const NUMBER = new Intl.NumberFormat('en')
const day = (at: string) => fullDay(at.slice(0, 10))

/** Everything that is said of what an organisation pays for. */
export const billingMessages = {
  title: 'Billing',
  lead: (name: string) => `What ${name} has, and how much of it is used.`,
  plansTitle: 'Plans',
  plansLead: 'Nothing is ever deleted or locked when you change.',
  plans: { free: 'Free', professional: 'Professional' } as Readonly<Record<string, string>>,
  planOf: (plan: string) => `${billingMessages.plans[plan] ?? plan} plan`,
  loading: 'Loading the subscription',
  failedTitle: 'The subscription could not be loaded',
  retry: 'Try again',
  notHereTitle: 'The subscription is not on this device yet',
  notHere: 'Connect once to see it.',
  stale: 'You are offline: this is how it stood when it was last read.',

  standing: (status: string, until: string | null, ends: string | null): string => {
    if (ends) return `Cancelled. It holds until ${day(ends)}, then the free plan begins.`
    if (status === 'trialing') return until ? `On trial until ${day(until)}.` : 'On trial.'
    if (status === 'past_due')
      return 'The last payment did not arrive. Look at it in the customer portal.'
    if (status === 'active' && until) return `Goes on by itself on ${day(until)}.`
    return status === 'none'
      ? 'Costs nothing, for as long as you like.'
      : status.replaceAll('_', ' ')
  },

  usage: 'In use',
  limits: {
    members: 'Members',
    active_success_plans: 'Open success plans',
    accounts: 'Accounts',
    templates: 'Templates',
  },
  used: (used: number, limit: number | null) =>
    limit === null ? NUMBER.format(used) : `${NUMBER.format(used)} of ${NUMBER.format(limit)}`,
  noLimit: 'no limit',
  full: 'At the limit',
  over: (by: number) => `${NUMBER.format(by)} over the limit: they stay, new ones have to wait.`,
  atLimit: 'Something is at its limit. Professional has none.',
  compare: 'Compare the plans',
  portal: 'Customer portal',
  portalText: 'Invoices, payment and address stand in the customer portal.',
  portalOpen: 'Open the portal',
  offline: 'You are offline: this needs a network.',
  badPortal: 'The server named a place that is no web address. Nothing was opened.',

  comparison: 'What the plans hold',
  what: 'What',
  unlimited: 'No limit',
  everything: 'Work without a network, all features',
  included: 'Included',
  current: 'Your plan',
  until: (at: string) => `Until ${day(at)}`,
  upgrade: 'Upgrade to Professional',
  resume: 'Keep Professional',
  downgrade: 'Change to Free…',
  upgraded: 'You are on the Professional plan',
  resumed: 'Professional goes on',
  downgradeTitle: 'Change to Free?',
  downgradeText: (at: string | null) =>
    `Professional holds until ${at ? day(at) : 'the end of what is paid for'}. Nothing is deleted or locked after that.`,
  downgradeOver: (names: readonly string[]) =>
    `You have more than Free allows of: ${new Intl.ListFormat('en').format(names)}. They stay, but no new ones can be made until there is room.`,
  downgradeSure: 'Change to Free',
  keep: 'Keep Professional',
  downgraded: 'The Professional plan ends at the end of its period',
} as const
