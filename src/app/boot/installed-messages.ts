import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts about the installation of the service worker. */
export const installedMessages = {
  ready: 'Ready to work offline',
} as const satisfies Messages
