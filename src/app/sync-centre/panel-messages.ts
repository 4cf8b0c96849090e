import type { Messages } from '../../../contract/text/catalogue.ts'
import { clockTime, moment } from '../../ui/text/dates.ts'
import { formatCount } from '../../ui/text/format.ts'

/** From this delay on, the times of writing and sending are shown separately. */
const NOTICEABLE_DELAY_MS = 60_000

/** Texts of the sync panel. */
export const panelMessages = {
  title: 'Sync',
  online: 'Connected',
  offlineLong: 'Offline. Keep working: everything is saved here and sent later.',
  lastSync: (at: number) => `Last synced ${moment(at)}`,
  neverSynced: 'Not synced yet on this device',
  nothing: 'Everything is synced.',
  listLabel: 'Waiting to be sent',
  sendNow: 'Send now',
  stillOffline: 'Still offline. Everything is sent as soon as you are online.',
  serverBusy: (until: number) =>
    `The server is busy and asked to wait until ${clockTime(until)}. Your changes are sent then.`,
  queuedAt: (organisation: string, at: string) => `${organisation} · ${moment(at)}`,
  edit: 'Edit',
  open: (organisation: string) => `Open ${organisation}`,
  fromTo: (from: string, to: string) => `${from} → ${to}`,
  sentLately: 'Sent in the last 14 days',
  sentAt: (queued_at: string, sent_at: string) =>
    Date.parse(sent_at) - Date.parse(queued_at) < NOTICEABLE_DELAY_MS
      ? `Sent ${moment(sent_at)}`
      : `Written ${moment(queued_at)} · sent ${moment(sent_at)}`,
  merged: 'merged with others’ changes',
  kept: (fields: readonly string[]) => `Changed elsewhere and kept: ${fields.join(' · ')}`,
  givenUp: 'Not used in the last 30 days',
  givenUpHint:
    'What you wrote where another person’s version was kept, or what you changed again later.',
  givenUpAt: (at: string) => `Not used since ${moment(at)}`,
} as const satisfies Messages

/** Texts of the sign-out dialog when changes are unsent. */
export const signOutMessages = {
  title: 'Sign out?',
  waiting: (waiting: number) =>
    `${formatCount(waiting, 'change')} ${waiting === 1 ? 'has' : 'have'} not been sent yet.`,
  explain:
    'Changes kept on this device are neither shown nor sent until you sign in again. Drafts that you did not post are removed.',
  rejected: (refused: number) =>
    refused === 1
      ? 'One needs attention and cannot be sent as it is.'
      : `${refused} need attention and cannot be sent as they are.`,
  allSent: 'All changes sent.',
  sendNow: 'Send now',
  offline: 'You are offline: nothing can be sent now.',
  keep: 'Keep on this device',
  discard: 'Discard',
  signOut: 'Sign out',
} as const satisfies Messages
