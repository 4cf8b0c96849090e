import { dayInTimeZone } from '../../../contract/rules.ts'
import { moment } from '../../ui/text/dates.ts'

const numberFormat = new Intl.NumberFormat('en')
const count = (many: number, one: string) =>
  `${numberFormat.format(many)} ${many === 1 ? one : `${one}s`}`

const dateTimeFormat = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
})

/** `3.4 MB`: decimal units, as browsers and systems show them. */
function formatBytes(many: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, many)) / 3))
  const amount = many / 1_000 ** step
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: units[step] ?? 'byte',
    maximumFractionDigits: amount < 10 && step > 0 ? 1 : 0,
  }).format(amount)
}

/** What is said of the device and of what is kept on it. */
export const deviceMessages = {
  title: 'This device',
  lead: 'What is kept here, so that you can work without a network.',
  reading: 'Looking at what is here',

  stored: 'Stored here',
  records: (found: { plans: number; updates: number; accounts: number }) =>
    [
      count(found.plans, 'plan'),
      count(found.updates, 'update'),
      count(found.accounts, 'account'),
    ].join(' · '),
  complete: (at: number) => `Everything, as of ${moment(at)}`,
  partial: 'Not everything yet: it comes when there is a network.',
  nothing: 'Nothing is stored here yet.',

  space: 'Space',
  used: (usage: number, quota: number | undefined) =>
    quota === undefined
      ? `${formatBytes(usage)} used`
      : `${formatBytes(usage)} used of about ${formatBytes(quota)} that the browser allows`,
  usedLabel: 'Space used',
  unknownSpace: 'This browser does not say how much space is used.',

  persistence: 'Safe from clearing',
  persisted: 'The browser keeps this until you remove it yourself.',
  notPersisted: 'The browser may remove this when the device’s disk is nearly full.',
  askToPersist: 'Ask the browser to keep it',
  granted: 'The browser keeps it from now on',
  declined:
    'The browser declined for now. It usually agrees once the app is installed, or used more often.',

  download: 'Download',
  dataSaver:
    'Your data saver is on: beside the lists, only what you open is downloaded. The rest is not here without a network.',
  downloadAll: 'Download all of it',
  downloadOffline: 'You are offline: nothing can be downloaded now.',
  downloading: (share: number | null) =>
    share === null
      ? 'This organisation is being downloaded.'
      : `This organisation is being downloaded: ${Math.floor(share * 100)}%.`,

  unsent: 'Not sent yet',
  unsentCount: (many: number) =>
    many === 0
      ? 'Nothing waits: all that you wrote is on the server.'
      : `${count(many, 'change')} ${many === 1 ? 'waits' : 'wait'} to be sent.`,
  export: 'Save as a text file',

  clear: 'Clear what was read',
  clearLead:
    'Removes the copies of plans, updates and accounts from this device. What you wrote, your drafts and what waits to be sent stay.',
  clearCosts: (size: number | undefined, others: number) =>
    [
      size === undefined
        ? 'The open organisation is downloaded again at once.'
        : `The open organisation is downloaded again at once: up to ${formatBytes(size)}.`,
      others > 0
        ? `${count(others, 'other organisation')} must be opened with a network before it can be read without one.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
  clearConfirm: 'Clear it now',
  clearCancel: 'Keep it',
  clearOffline: 'You are offline: it could not be downloaded again.',
  cleared: 'Cleared. It is being downloaded again.',
  clearFailed: 'The device’s storage refused this. Nothing was cleared.',
} as const

const { timeZone: LOCAL_TIME_ZONE } = new Intl.DateTimeFormat().resolvedOptions()

/** What stands in the file of what was not sent. */
export const exportMessages = {
  name: (now: number) => `cairn-unsent-${dayInTimeZone(LOCAL_TIME_ZONE, new Date(now))}.txt`,
  title: 'Cairn: not sent yet',
  by: (author: string, now: number) => `${author}, ${dateTimeFormat.format(now)}`,
  many: (many: number) => count(many, 'change'),
  written: (at: string) => `written ${dateTimeFormat.format(new Date(at))}`,
  elsewhere: 'another organisation',
} as const
