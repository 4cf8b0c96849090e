import { moment } from '../ui/dates.ts'

const count = (many: number, one: string) => `${many} ${many === 1 ? one : `${one}s`}`

/** What the frame round the screens says. */
export const appWords = {
  skip: 'Skip to content',
  home: 'Cairn, success plans',
  navigation: 'Main',
  plans: 'Success plans',
  plansShort: 'Plans',
  accounts: 'Accounts',
  newPlan: 'New plan',
  loading: 'Loading',
  switchOrganisation: 'Switch organisation',
  organisationNow: (name: string) => `Organisation: ${name}. Switch organisation`,
  account: (name: string) => `Your menu, ${name}`,
  themes: { light: 'Light theme', dark: 'Dark theme', auto: 'Theme of the system' },
  syncStatus: 'Sync status',
  signOut: 'Sign out',

  notFound: 'Page Not Found',
  notFoundText: 'There is nothing at',
  serverError: 'Internal Server Error',
  errorLead:
    'This screen stopped. What you wrote and what waits to be sent is safe on this device.',
  chunkTitle: 'This screen could not be loaded',
  chunkOffline:
    'A part of the app is not on this device. What you wrote is safe; connect once and reload.',
  reload: 'Reload',
  toPlans: 'To the success plans',

  newVersion: 'A new version is ready',
  update: 'Update',
  later: 'Later',
} as const

/** What the sync pill and its panel say. */
export const syncWords = {
  offline: 'Offline',
  waiting: (waiting: number) => `${waiting} waiting`,
  sending: 'Sending…',
  attention: 'Needs attention',
  allSent: 'All changes sent',
  pill: (state: string) => `Sync: ${state}. Show details`,
  title: 'Sync',
  online: 'Connected',
  offlineLong: 'Offline. Keep working: everything is kept here and sent later.',
  lastSync: (at: number) => `Last synced ${moment(at)}`,
  neverSynced: 'Not synced yet on this device',
  nothing: 'Nothing is waiting. Everything you wrote is on the server.',
  listLabel: 'Waiting to be sent',
  sendNow: 'Send now',
  stillOffline: 'There is no network yet. It is sent as soon as there is one.',
  otherOrganisation: 'another organisation',
  said: (organisation: string, at: string) => `${organisation} · ${moment(at)}`,
  updateOf: (plan: string) => `Update on “${plan}”`,
  update: 'Update of a plan',
  newPlan: (title: string) => `New plan “${title}”`,
  planEdit: (title: string) => `Changes of “${title}”`,
  accountNew: (name: string) => `New account “${name}”`,
  accountEdit: 'Changes of an account',
  profile: 'Your profile',
  unnamed: 'a plan',
} as const

/** What signing out asks when something still waits. */
export const signOutWords = {
  title: 'Sign out?',
  waiting: (waiting: number) =>
    `${count(waiting, 'change')} ${waiting === 1 ? 'has' : 'have'} not been sent yet.`,
  explain: 'What is kept on this device stays sealed until you sign in again, and is sent then.',
  allSent: 'All changes sent.',
  sendNow: 'Send now',
  keep: 'Keep on this device',
  discard: 'Discard',
  signOut: 'Sign out',
  cancel: 'Stay signed in',
} as const
