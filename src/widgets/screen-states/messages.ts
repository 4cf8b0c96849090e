import type { Messages } from '../../../contract/text/catalogue.ts'
import { moment } from '../../ui/text/dates.ts'

/** Shown instead of data that was removed from a full device. */
export const evictedMessages = {
  title: 'Removed to make room on this device',
  text: 'The device was full, so downloaded data was removed to save what you wrote. It is downloaded again when you are online.',
} as const satisfies Messages

/** Texts of the states that all screens share. */
export const screenStateMessages = {
  upToDate: (at: number) => `Up to date · synced ${moment(at)}`,
  asOf: (at: number) => `Offline · as of ${moment(at)}`,
  olderCopy: 'Older copy · the latest could not be read',
  refresh: 'Refresh',
  stillOffline: 'Still offline.',
  notUnderstood: 'The server does not answer as agreed. Nothing is lost.',
} as const satisfies Messages
