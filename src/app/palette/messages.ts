import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { shortDay } from '../../ui/text/dates.ts'
import { formatNumber, formatPercent } from '../../ui/text/format.ts'

/** Texts of the command palette. The labels of its commands are given by the specification. */
export const paletteMessages = {
  title: 'Command palette',
  placeholder: 'Search or run a command',
  field: 'Search the organisation, or run a command',
  list: 'Commands and results',

  groups: {
    'this-plan': 'This plan',
    'this-account': 'This account',
    recent: 'Recent',
    'success-plans': 'Success plans',
    organisation: 'Organisation',
    settings: 'Settings',
    places: 'Places',
    acts: 'More',
    results: 'Search results',
  },
  viewPlans: 'View success plans',
  newPlan: 'Create new success plan',
  newTemplate: 'Create new success plan template',
  switchOrganisation: 'Switch organisation',
  upgrade: 'Upgrade to pro',
  switchTheme: 'Switch light/dark theme',
  profile: 'Open profile',
  notifications: 'Open notification settings',
  organisation: 'Open organisation settings',
  members: 'Open members settings',
  install: 'Install Cairn',

  places: {
    home: 'View home',
    accounts: 'View accounts',
    initiatives: 'View initiatives',
    templates: 'View templates',
    renewals: 'View renewals',
    review: 'Start a review',
    billing: 'Open billing',
    pricing: 'Open pricing',
    sync: 'Open sync centre',
    device: 'Open this device',
    setUp: 'Set up step by step',
  },
  acts: {
    newAccount: 'Create new account',
    newInitiative: 'Create new initiative',
    outcome: 'Record a renewal outcome',
    importPlans: 'Import success plans',
    importAccounts: 'Import accounts',
    exportAll: 'Export organisation',
    importAll: 'Import organisation',
    shortcuts: 'Show keyboard shortcuts',
    signOut: 'Sign out',
  },

  postUpdate: 'Post update',
  editPlan: 'Edit plan',
  editAccount: 'Edit account',
  planForAccount: 'Create plan for this account',
  changeStatus: (transition: string) => `Change status: ${transition}`,
  copyLink: 'Copy link',
  copied: 'Link copied',
  copyRefused: 'The browser blocked copying.',

  kinds: { account: 'Account', template: 'Template' },
  contactOf: (account: string, details: string[]) =>
    [sentence`Contact at ${account}`, ...details].join(' · '),
  initiativeOf: (plan: string | undefined) =>
    plan === undefined ? 'Initiative' : sentence`Initiative of ${plan}`,
  actionOf: (plan: string | undefined) =>
    plan === undefined ? 'Action' : sentence`Action of ${plan}`,
  ends: shortDay,
  percent: formatPercent,
  updateOf: (title: string | undefined) =>
    title === undefined ? 'Update' : sentence`Update of ${title}`,
  done: 'Done',
  here: 'On this device',
  allInList: 'Show all in the plan list',

  count: (many: number) => (many === 1 ? '1 result' : `${formatNumber(many)} results`),
  nothing: 'No results',
  nothingHere: 'No results on this device. You are offline, so the server was not searched.',
  notSearched: 'No results on this device. The server could not be searched.',
  asking: 'Searching the server…',
  hints: { move: 'to move', run: 'to choose', close: 'to close' },
} as const satisfies Messages
