import type { Messages } from '../../../contract/text/catalogue.ts'
import { moment } from '../../ui/text/dates.ts'

/** Texts of the states that all screens share. */
export const screenStateMessages = {
  upToDate: (at: number) => `Up to date · synced ${moment(at)}`,
  asOf: (connection: 'offline' | 'not-understood', at: number) =>
    `${connection === 'offline' ? 'Offline' : 'Server problem'} · as of ${moment(at)}`,
  notUpToDate: 'Not up to date',
  refresh: 'Refresh',
  typed: 'What you typed here was not sent',
} as const satisfies Messages
