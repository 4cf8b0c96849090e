import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of the sync pill. Loaded with every screen. */
export const syncMessages = {
  offline: 'Offline',
  notUnderstood: 'Server problem',
  unread: 'Not all shown',
  waiting: (waiting: number) => `${waiting} waiting`,
  sending: 'Sending…',
  attention: 'Needs attention',
  allSent: 'All changes sent',
  /** In a narrow header: words of the whole text, which is the button's name. */
  short: { offline: 'Offline', server: 'Problem', attention: 'Attention', allSent: 'Sent' },
  pill: (state: string) => `Sync: ${state}. Show details`,
} as const satisfies Messages
