import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { UNKNOWN_TIME } from '../../../contract/values.ts'
import { ago, dayOf, fullDay, shortDay } from '../../ui/text/dates.ts'
import {
  formatCount,
  formatMoney,
  formatNumber,
  formatPercent,
  labelOf,
} from '../../ui/text/format.ts'

/** Texts of the account screens. */
export const accountMessages = {
  title: 'Accounts',
  shown: (shown: number, all: number) =>
    shown === all
      ? formatCount(all, 'account')
      : `${formatNumber(shown)} of ${formatCount(all, 'account')}`,
  plans: (plans: number) => formatCount(plans, 'plan'),
  enumLabel: (word: string) => labelOf(word),
  money: formatMoney,
  day: fullDay,
  renews: (day: string) => `Renews ${shortDay(day)}`,
  renewalPassed: (day: string) => `Renewal passed ${shortDay(day)}`,

  loading: 'Loading the accounts',
  loadingForm: 'Loading the form',
  emptyTitle: 'No accounts yet',
  empty: 'Accounts are your customers. Plans, renewals and contacts belong to an account.',
  firstAccount: 'Add your first account',
  newAccount: 'New account',
  import: 'Import accounts',
  noMatchTitle: 'No accounts match',
  noMatch: 'Try a different search, or fewer filters.',
  clear: 'Show all accounts',
  failedTitle: 'The accounts could not be loaded',
  failed: 'Nothing is lost. Try again in a moment.',
  retry: 'Try again',
  notHereTitle: 'Your accounts are not on this device yet',
  notHere: 'They are downloaded as soon as you are online. You can already add an account.',

  back: 'Accounts',
  newTitle: 'New account',
  newLead: 'A customer, and what matters for its success.',
  editTitle: 'Edit account',
  backToAccount: 'Back to the account',
  deleteConsequence: 'The account disappears for everyone in the organisation.',
  deletePlansFirst: 'Delete its success plans first.',
  createdHere: 'This account was created on this device.',
  changedHere: 'This account was changed on this device.',
  missingTitle: 'This account does not exist',
  missing: 'It may have been deleted, or it belongs to another organisation.',
  accountNotHereTitle: 'This account is not on this device yet',
  accountNotHere: 'Connect once to download it.',
  openList: 'Show available accounts',
  loadingAccount: 'Loading the account',
  facts: 'About this account',
  opensNew: '(opens in a new tab)',
  contacts: 'Contacts',
  noContacts: 'No contacts yet.',
  primary: 'Primary',
  notes: 'Notes',
  plansTitle: 'Success plans',
  noPlans: 'No plans for this account yet.',
  plansMissing: 'Some plans may not be on this device yet.',
  newPlan: 'New plan',
} as const satisfies Messages

/** Texts of the page of an account. */
export const accountPageMessages = {
  renewal: 'Renewal',
  planRenewal: 'Plan it',
  noRenewal: 'No date',
  daysLeft: (days: number) => (days === 0 ? 'today' : `in ${formatCount(days, 'day')}`),
  passedFor: (days: number) => `Passed ${formatCount(days, 'day')} ago`,
  arr: 'ARR',
  aYear: 'per year',
  noAmount: 'Not set',
  atRisk: 'ARR at risk',
  noRisk: 'Nothing',
  riskWithoutAmount: 'Amount not set',
  riskyPlans: (plans: number) => formatCount(plans, 'plan'),
  lastUpdate: 'Last update',
  noUpdate: 'None yet',
  notKnown: 'Not known yet',
  ago: (instant: string) => (instant === UNKNOWN_TIME ? 'Time unknown' : ago(instant)),
  byOn: (author: string, plan: string) => sentence`${author} · ${plan}`,
  nextActions: 'Next actions',
  ended: (day: string) => `Ended ${shortDay(day)}`,
  percent: formatPercent,
  timeline: 'Timeline',
  noUpdates: 'No updates yet. Updates of its plans appear here.',
  missing: (plans: number) =>
    `Updates of ${formatCount(plans, 'plan')} are not on this device. Open a plan to load them.`,
  more: (left: number) => `Show more (${formatNumber(left)} left)`,
  healthTitle: 'Health of open plans, last six months',
  healthSince: (health: string, from: number) => `${health} since ${fullDay(dayOf(from))}`,
  notRated: 'Not rated',
  instant: (at: number) => fullDay(dayOf(at)),
  now: 'Today',
} as const satisfies Messages

/** Texts of the list of accounts. */
export const accountListMessages = {
  listLabel: 'Accounts',
  preview: (name: string) => sentence`Preview of ${name}`,
  openAccount: 'Open account',
  searchLabel: 'Search by name, owner, contact or tag',
  columns: {
    name: 'Account',
    tier: 'Tier',
    health: 'Health',
    arr: 'ARR',
    renewal_date: 'Renewal',
    plans: 'Plans',
    owner: 'Owner',
  },
  groups: {
    '': 'No groups',
    status: 'Status',
    tier: 'Tier',
    owner: 'Owner',
    quarter: 'Quarter of the renewal',
    month: 'Month of the renewal',
    health: 'Health',
  },
  show: (shown: number) => `Show ${formatCount(shown, 'account')}`,
  anyTier: 'Any tier',
  noTier: 'No tier',
  anyRenewal: 'Any renewal',
  renewals: {
    passed: 'Date has passed',
    90: 'In 90 days',
    180: 'In 180 days',
    none: 'No date',
  },
  select: 'Select accounts',
  selectRow: (name: string) => sentence`Select ${name}`,
  number: formatNumber,
  passed: (day: string) => `Passed ${fullDay(day)}`,
  inDays: (days: number) => (days === 0 ? 'today' : `in ${formatCount(days, 'day')}`),
  exported: (accounts: number) => `${formatCount(accounts, 'account')} exported`,
  fileName: (day: string) => `accounts-${day}.csv`,
  link: 'Link',
} as const satisfies Messages

/** Texts of the account form. */
export const accountFormMessages = {
  noHealth: 'Not rated',
  noTier: 'No tier',
  noOwner: 'No owner',
  me: (name: string) => sentence`${name} (you)`,
  otherCurrency: (currency: string) =>
    `This amount is not in ${currency}. Correct it, or choose its currency.`,
  tagsHint: 'Separated by commas. Put quotes around a tag that has one.',
  notesHint: 'What the team should know.',
  create: 'Add account',
  save: 'Save changes',
} as const satisfies Messages

/** Texts of the contact form. */
export const contactMessages = {
  add: 'Add contact',
  newTitle: 'New contact',
  editTitle: 'Edit contact',
  edit: (name: string) => sentence`Edit ${name}`,
  fields: { name: 'Name', title: 'Job title', email: 'Email', phone: 'Phone', role: 'Role' },
  roleHint: 'For example sponsor, champion or user.',
  isPrimary: 'Primary contact',
  save: 'Save contact',
  remove: 'Remove contact',
  removed: (name: string) => sentence`${name} was removed`,
  notBack: (name: string) => sentence`${name} could not be brought back`,
  undo: 'Undo',
} as const satisfies Messages
