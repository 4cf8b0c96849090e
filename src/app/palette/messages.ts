import { shortDay } from '../../ui/text/dates.ts'

const numberFormat = new Intl.NumberFormat('en')

/** What the command palette says; the labels of its actions are those of the specification. */
export const paletteMessages = {
  title: 'Command palette',
  placeholder: 'Search or run a command',
  field: 'Search plans, accounts and updates, or run a command',
  list: 'Commands and results',

  groups: {
    'this-plan': 'This plan',
    recent: 'Recent',
    'success-plans': 'Success plans',
    organisation: 'Organisation',
    settings: 'Settings',
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

  postUpdate: 'Post update',
  changeStatus: (transition: string) => `Change status: ${transition}`,
  copyLink: 'Copy link',
  copied: 'Link copied',
  copyRefused: 'Copying was refused by the browser.',

  kinds: { plan: 'Plan', account: 'Account', update: 'Update' },
  ends: shortDay,
  percent: (value: number) => `${value}%`,
  updateOf: (title: string | undefined) => (title === undefined ? 'Update' : `Update of ${title}`),
  here: 'On this device',
  allInList: 'Show all in the list of plans',

  count: (many: number) => (many === 1 ? '1 result' : `${numberFormat.format(many)} results`),
  nothing: 'Nothing matches',
  nothingHere: 'Nothing on this device matches. The server cannot be asked without a network.',
  asking: 'Asking the server…',
  hints: { move: 'to move', run: 'to choose', close: 'to close' },
} as const
