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

  partFailed: 'This part of the app stopped working and was closed. What you wrote is safe.',
  chunkFailed: 'This part of the app could not be loaded. What you wrote is safe.',
  chunkOffline:
    'Part of the app is not on this device. What you wrote is safe: connect once and reload.',
  reload: 'Reload',

  newVersion: 'A new version is ready',
  update: 'Update',
  updating: 'Updating…',
  updateWaits:
    'The new version starts as soon as the previous version stops sending. Your changes stay on this device.',
  later: 'Later',
} as const satisfies Messages
