import { dayInTimeZone } from '../../../contract/rules.ts'
import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { fullMoment, moment } from '../../ui/text/dates.ts'
import { formatBytes, formatCount, formatPercent } from '../../ui/text/format.ts'

/** Texts of the settings for this device and the data stored on it. */
export const deviceMessages = {
  title: 'This device',
  lead: 'Your data on this device, so that you can work offline.',
  reading: 'Checking this device',

  stored: 'Stored here',
  records: (found: { plans: number; updates: number; accounts: number }) =>
    [
      formatCount(found.plans, 'plan'),
      formatCount(found.updates, 'update'),
      formatCount(found.accounts, 'account'),
    ].join(' · '),
  complete: (at: number) => `Everything, as of ${moment(at)}`,
  partial: 'Not everything yet: the rest is downloaded when you are online.',
  nothing: 'Nothing is stored here yet.',

  space: 'Space',
  used: (usage: number, quota: number | undefined) =>
    quota === undefined
      ? `${formatBytes(usage)} used`
      : `${formatBytes(usage)} used of about ${formatBytes(quota)} that the browser allows`,
  usedLabel: 'Space used',
  unknownSpace: 'This browser does not report how much space is used.',

  persistence: 'Protection from deletion',
  persisted: 'The browser keeps this data until you remove it yourself.',
  notPersisted: 'The browser may remove this data when the disk is nearly full.',
  askToPersist: 'Ask the browser to keep it',
  granted: 'The browser will keep it',
  declined:
    'The browser declined for now. It usually agrees once the app is installed or used more often.',

  download: 'Download',
  dataSaver:
    'Data saver is on: apart from the lists, only what you open is downloaded. The rest is not available offline.',
  evicted:
    'The device was full, so downloaded data was removed to save what you wrote. It is downloaded again when you are online.',
  downloadAll: 'Download everything',
  downloadOffline: 'You are offline: nothing can be downloaded now.',
  downloading: (share: number | null) =>
    share === null
      ? 'Downloading this organisation.'
      : `Downloading this organisation: ${formatPercent(Math.floor(share * 100))}.`,

  unsent: 'Not sent yet',
  unsentCount: (many: number) =>
    many === 0
      ? 'Everything you wrote is on the server.'
      : `${formatCount(many, 'change')} ${many === 1 ? 'is' : 'are'} waiting to be sent.`,
  export: 'Save as a text file',

  clear: 'Clear downloaded data',
  clearLead:
    'Removes the downloaded plans, updates and accounts from this device. Your unsent changes and your drafts stay.',
  clearCosts: (size: number | undefined, others: number) =>
    [
      size === undefined
        ? 'The open organisation is downloaded again straight away.'
        : `The open organisation is downloaded again straight away: up to ${formatBytes(size)}.`,
      others > 0
        ? `${formatCount(others, 'other organisation')} must be opened online before you can read ${others === 1 ? 'it' : 'them'} offline.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
  clearConfirm: 'Clear now',
  clearCancel: 'Cancel',
  clearOffline: 'You are offline: it could not be downloaded again.',
  cleared: 'Cleared. Downloading again.',
  clearFailed: 'This could not be cleared on this device. Nothing has changed.',
} as const satisfies Messages

/** Texts of the exported file of unsent changes. */
export const exportMessages = {
  name: (now: number) => `cairn-unsent-${dayInTimeZone(undefined, new Date(now))}.txt`,
  title: 'Cairn: not sent yet',
  by: (author: string, now: number) => sentence`${author}, ${fullMoment(now)}`,
  many: (many: number) => formatCount(many, 'change'),
  written: (at: string) => `written ${fullMoment(at)}`,
  elsewhere: 'another organisation',
} as const satisfies Messages
