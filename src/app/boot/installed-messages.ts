import type { Messages } from '../../../contract/text/catalogue.ts'

/** What the app says of itself as a whole. */
export const installedMessages = {
  ready: 'Ready to work offline',
} as const satisfies Messages
