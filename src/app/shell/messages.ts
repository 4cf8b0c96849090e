import { IS_MAC } from '../../ui/platform/keyboard.ts'
import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'

/** Texts of the app shell: navigation, menus, error screens. */
export const appMessages = {
  skip: 'Skip to content',
  home: 'Cairn, home',
  navigation: 'Main',
  start: 'Home',
  plans: 'Success plans',
  plansShort: 'Plans',
  initiatives: 'Initiatives',
  accounts: 'Accounts',
  templates: 'Templates',
  newPlan: 'New plan',
  palette: 'Search and commands',
  paletteKey: IS_MAC ? '⌘K' : 'Ctrl K',
  loading: 'Loading',
  switchOrganisation: 'Switch organisation',
  organisationNow: (name: string) => sentence`Organisation: ${name}. Switch organisation`,
  account: (name: string) => sentence`Your menu, ${name}`,
  themes: { light: 'Light theme', dark: 'Dark theme', auto: 'Use system setting' },
  syncStatus: 'Sync status',
  device: 'This device',
  install: 'Install Cairn',
  settings: 'Settings',
  signOut: 'Sign out',

  notFound: 'Page Not Found',
  notFoundText: 'There is nothing at',
  serverError: 'Internal Server Error',
  errorLead:
    'This screen stopped working. What you wrote and your unsent changes are safe on this device.',
  chunkTitle: 'This screen could not be loaded',
  chunkOffline:
    'Part of the app is not on this device. What you wrote is safe: connect once and reload.',
  tryAgain: 'Try again',
  reload: 'Reload',
  toPlans: 'Go to success plans',

  newVersion: 'A new version is ready',
  update: 'Update',
  updating: 'Updating…',
  updateWaits:
    'The new version starts as soon as the previous version stops sending. Your changes stay on this device.',
  later: 'Later',
} as const satisfies Messages
