import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of the settings navigation. */
export const settingsMessages = {
  title: 'Settings',
  navigation: 'Settings',
  yours: 'You',
  profile: 'Profile',
  notifications: 'Notifications',
  device: 'This device',
  install: 'Install the app',
  general: 'General',
  members: 'Members',
  billing: 'Billing',
  plans: 'Pricing',
} as const satisfies Messages
