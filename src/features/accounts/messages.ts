import { fullDay, moment, shortDay } from '../../ui/text/dates.ts'

const NUMBER = new Intl.NumberFormat('en')
const count = (many: number, one: string) =>
  `${NUMBER.format(many)} ${many === 1 ? one : `${one}s`}`
const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** `€48,000`; whole units, since nobody plans by cents. */
function money(amount: number, currency: string): string {
  try {
    return new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      maximumFractionDigits: 0,
    }).format(amount)
  } catch {
    return `${NUMBER.format(amount)} ${currency}`
  }
}

/** Everything that the screens of accounts say. */
export const accountMessages = {
  title: 'Accounts',
  shown: (shown: number, all: number) =>
    shown === all ? count(all, 'account') : `${NUMBER.format(shown)} of ${count(all, 'account')}`,
  plans: (plans: number) => count(plans, 'plan'),
  word: (word: string) => capitalised(word.replaceAll('-', ' ')),
  money,
  day: fullDay,
  renews: (day: string) => `Renews ${shortDay(day)}`,
  arrPerYear: (amount: number, currency: string) => `${money(amount, currency)} a year`,
  upToDate: (at: number) => `Up to date · synced ${moment(at)}`,
  asOf: (at: number) => `Offline · as of ${moment(at)}`,

  searchLabel: 'Search accounts',
  sortLabel: 'Sort',
  sorts: { name: 'By name', renewal_date: 'By renewal', arr: 'By ARR', health: 'By health' },
  listLabel: 'Accounts',
  loading: 'Loading the accounts',
  emptyTitle: 'No accounts yet',
  empty: 'Accounts are your customers. Plans, renewals and contacts hang on them.',
  firstAccount: 'Add the first account',
  newAccount: 'New account',
  import: 'Import accounts',
  noMatchTitle: 'No account matches',
  noMatch: 'Try fewer letters.',
  clear: 'Show all accounts',
  failedTitle: 'The accounts could not be loaded',
  failed: 'Nothing is lost. Check the connection and try again.',
  retry: 'Try again',
  notHereTitle: 'Your accounts are not on this device yet',
  notHere: 'They are downloaded as soon as there is a network. You can already add an account.',

  back: 'Accounts',
  newTitle: 'New account',
  newLead: 'A customer, with what matters for its success.',
  editTitle: 'Edit account',
  toTheAccount: 'Back to the account',
  deleteConsequence: 'The account disappears for everybody in the organisation.',
  deletePlansFirst: 'Delete its success plans first.',
  madeHere: 'This account was added here.',
  changedHere: 'This account was changed here.',
  missingTitle: 'This account does not exist',
  missing: 'It may have been deleted, or it belongs to another organisation.',
  notThisTitle: 'This account is not on this device yet',
  notThis: 'Connect once, and it will be here the next time.',
  openList: 'Show what is here',
  loadingOne: 'Loading the account',
  facts: 'About this account',
  status: 'Status',
  tier: 'Tier',
  industry: 'Industry',
  arr: 'ARR',
  renewal: 'Renewal',
  owner: 'Owner',
  website: 'Website',
  opensNew: '(opens in a new tab)',
  tags: 'Tags',
  contacts: 'Contacts',
  noContacts: 'No contacts are known yet.',
  primary: 'Primary',
  notes: 'Notes',
  plansTitle: 'Success plans',
  noPlans: 'No plan for this account yet.',
  newPlan: 'New plan',
  ownedBy: (name: string) => `Owner: ${name}`,
} as const

/** What the form of an account says. */
export const accountFormMessages = {
  fields: {
    name: 'Name',
    status: 'Status',
    tier: 'Tier',
    industry: 'Industry',
    health: 'Health',
    arr: 'ARR',
    currency: 'Currency',
    renewal_date: 'Renewal',
    owner_id: 'Owner',
    website: 'Website',
    tags: 'Tags',
    notes: 'Notes',
  },
  notJudged: 'Not judged',
  noTier: 'No tier',
  noOwner: 'Nobody',
  me: (name: string) => `${name} (you)`,
  tagsHint: 'With commas between them.',
  notesHint: 'What the team should know.',
  create: 'Add account',
  save: 'Save changes',
} as const

/** What the form of a contact says. */
export const contactMessages = {
  add: 'Add contact',
  newTitle: 'New contact',
  editTitle: 'Edit contact',
  edit: (name: string) => `Edit ${name}`,
  fields: { name: 'Name', title: 'Job title', email: 'Email', role: 'Role' },
  roleHint: 'In your work together: sponsor, champion, user.',
  isPrimary: 'The first one to ask',
  save: 'Save contact',
  remove: 'Remove contact',
  removed: (name: string) => `${name} was removed`,
  undo: 'Undo',
} as const
