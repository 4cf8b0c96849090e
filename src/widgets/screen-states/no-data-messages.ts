import type { Messages } from '../../../contract/text/catalogue.ts'

/** Shown instead of data that was removed from a full device. */
export const evictedMessages = {
  title: 'Removed to make room on this device',
  text: 'The device was full, so downloaded data was removed to save what you wrote. It is downloaded again when you are online.',
} as const satisfies Messages

/** While the chunk of a screen is being loaded. */
export const loadingMessages = {
  loading: 'Loading',
} as const satisfies Messages

/** What became of a refresh. */
export const refreshMessages = {
  done: 'Up to date.',
  failed: 'The latest could not be read. What you see is as of the last sync.',
  stillOffline: 'Still offline.',
} as const satisfies Messages

/** Why the server has not sent the data of a screen. */
export const failedMessages = {
  notUnderstood: 'The server does not answer as agreed. Nothing is lost.',
  notOffered: 'This server does not offer this. Everything else works as usual.',
  denied: 'The server does not let you see this. Everything else works as usual.',
} as const satisfies Messages
