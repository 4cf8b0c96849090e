import { resources, type ResourceName } from '../../../contract/resources.ts'
import type { UnreadReason } from '../../../contract/schemas/read-records.ts'
import type { Messages } from '../../../contract/text/catalogue.ts'
import { formatCount, formatList } from '../../ui/text/format.ts'

const REASONS: Record<UnreadReason, string> = {
  missing: 'is missing',
  date: 'is not a date',
  number: 'is not a number',
  text: 'is not text',
  'yes-or-no': 'is neither yes nor no',
  list: 'is not a list',
  record: 'is not a record',
}

/** What belongs to the user. */
const OWN: Record<string, string> = {
  getUserinfo: 'profile',
  getNotificationConsents: 'notification',
}

const labelOf = (collection: string) =>
  collection in resources
    ? resources[collection as ResourceName].label
    : (OWN[collection] ?? 'record')

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Texts about what the server sent and the app could not read. */
export const unreadMessages = {
  title: 'Not everything could be read',
  lead: 'The server sent something that this app cannot read. Nothing is lost: what was read before stays. Tell the people who run the server.',
  refusedLead:
    'The server answers, but not with everything. Nothing is lost: what was read before stays, and may be out of date. The app keeps trying. If this does not end, tell the people who run the server.',
  notKeptTitle: 'Not everything is kept',
  notKeptLead:
    'This server has no place for these fields, so forms do not offer them. Tell the people who run the server.',
  notKept: (collection: string, fields: readonly string[]) =>
    `${capitalised(labelOf(collection))}s: ${formatList(fields)}`,
  notUnderstood:
    'The server does not answer as agreed. Keep working: everything is saved here and sent later. Tell the people who run the server.',
  records: (count: number, collection: string, field: string, reason: UnreadReason) => {
    const what = `${formatCount(count, labelOf(collection))} could not be shown`
    return field === '' ? `${what}.` : `${what}: “${field}” ${REASONS[reason]}.`
  },
  fields: (count: number, collection: string, field: string, reason: UnreadReason) =>
    `${formatCount(count, labelOf(collection))} ${count === 1 ? 'is' : 'are'} shown without “${field}”: it ${REASONS[reason]}.`,
  refused: (collection: string, status: number) =>
    `${capitalised(labelOf(collection))}s could not be read: the server answered ${status}.`,
} as const satisfies Messages
