import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { dayOf, fullDay } from '../../ui/text/dates.ts'
import { formatList, formatNumber, labelOf } from '../../ui/text/format.ts'

const day = (at: string) => fullDay(dayOf(at))

const PLANS: Readonly<Record<string, string>> = { free: 'Free', professional: 'Professional' }

/** Texts of the billing and pricing screens. */
export const billingMessages = {
  title: 'Billing',
  lead: (name: string) => sentence`Plan and usage of ${name}`,
  plansTitle: 'Pricing',
  plansLead: 'Nothing is ever deleted or locked when you change plans.',
  plans: PLANS,
  planOf: (plan: string | null) =>
    plan === null ? 'Plan not known' : `${PLANS[plan] ?? plan} plan`,
  planUnknown: 'The server does not say which plan you have.',
  loading: 'Loading the subscription',
  failedTitle: 'The subscription could not be loaded',
  failed: 'Your plan has not changed, and the app works as before. Try again in a moment.',
  retry: 'Try again',
  notHereTitle: 'The subscription is not on this device yet',
  notHere: 'Connect once to see it.',

  billingState: (
    plan: string | null,
    status: string,
    until: string | null,
    ends: string | null,
  ): string => {
    if (ends) return `Cancelled. Active until ${day(ends)}, then you are on Free.`
    if (status === 'trialing') return until ? `On trial until ${day(until)}.` : 'On trial.'
    if (status === 'past_due') return 'The last payment failed. Check it in the customer portal.'
    if (status === 'active' && until) return `Renews automatically on ${day(until)}.`
    if (status !== 'none') return labelOf(status)
    return plan === 'free' ? 'Free for as long as you like.' : ''
  },

  usage: 'Usage',
  limits: {
    members: 'Members',
    active_success_plans: 'Open success plans',
    accounts: 'Accounts',
    templates: 'Templates',
  },
  used: (used: number, limit: number | null) =>
    limit === null ? formatNumber(used) : `${formatNumber(used)} of ${formatNumber(limit)}`,
  noLimit: 'no limit',
  full: 'At the limit',
  overLimit: (by: number) =>
    `${formatNumber(by)} over the limit. They stay, but you cannot add new ones.`,
  atLimit: 'You have reached a limit. Professional has none.',
  compare: 'Compare plans',
  portal: 'Customer portal',
  portalText: 'Invoices, payment method and address are in the customer portal.',
  portalOpen: 'Open the portal',
  offline: 'You are offline: this needs a network.',
  badPortal: 'The portal link is invalid.',

  comparison: 'What each plan includes',
  feature: 'Feature',
  price: 'Price',
  freePrice: 'Free of charge',
  onRequest: 'On request',
  unlimited: 'No limit',
  everything: 'Offline use, all features',
  included: 'Included',
  current: 'Your plan',
  until: (at: string) => `Until ${day(at)}`,
  upgrade: 'Upgrade to Professional',
  resume: 'Keep Professional',
  downgrade: 'Change to Free…',
  upgraded: 'You are on the Professional plan',
  resumed: 'Professional continues',
  downgradeTitle: 'Change to Free?',
  downgradeText: (at: string | null) =>
    `You keep Professional until ${at ? day(at) : 'the end of the paid period'}. Nothing is deleted or locked after that.`,
  downgradeOverLimit: (names: readonly string[]) =>
    `You are over the limit of Free for ${formatList(names)}. They stay, but you cannot add new ones until you are below it.`,
  downgradeConfirm: 'Change to Free',
  keep: 'Keep Professional',
  downgraded: 'Professional ends with the paid period',
} as const satisfies Messages
