import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { moment } from '../../ui/text/dates.ts'
import type { Unread } from './format.ts'
import { formatCount, formatList, formatNumber } from '../../ui/text/format.ts'

/** Headings of the tables in an archive that no import of a list reads. */
export const csvColumns = {
  account: 'Account',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  jobTitle: 'Job title',
  role: 'Role',
  action: 'Action',
  plan: 'Plan',
  initiative: 'Initiative',
  status: 'Status',
  due: 'Due',
  assignee: 'Assignee',
  priority: 'Priority',
  completed: 'Completed',
  outcome: 'Outcome',
  amount: 'Amount',
  currency: 'Currency',
  next: 'Next renewal',
  note: 'Note',
  author: 'Recorded by',
  recorded: 'Recorded',
  template: 'Template',
  type: 'Type',
  cadence: 'Update cadence in days',
  firstDay: 'First day',
  lastDay: 'Last day',
  description: 'Description',
} as const satisfies Messages

/** Why an archive is refused. */
export const problemMessages = {
  tooLarge: 'It is larger than an archive can be.',
  tooManyLines: (most: number) => `It has more than ${formatNumber(most)} records.`,
  tooManyElements: (most: number) =>
    `Its records have more than ${formatNumber(most)} contacts, tags and other entries.`,
  noArchive: 'This is not an archive made by Cairn.',
  damaged: 'It is damaged or cut off. Download or copy it again.',
  newer: (version: number) =>
    `It was made by a newer version of Cairn (format ${version}). Update Cairn first.`,
  missing: 'This file is missing.',
  cut: (found: number, expected: number) =>
    `It has ${formatNumber(found)} of ${formatCount(expected, 'line')}. The rest is cut off, or lines were added.`,
  changed: 'It was changed after it was exported.',
  encoding: 'It is not in UTF-8.',
  noJson: 'It is not valid JSON.',
  noPlan: 'It belongs to a plan that is not in the archive.',
  field: (field: string, reason: string) => sentence`${field}: ${reason}`,
} as const satisfies Messages

/** A file can have thousands of values that are left out. */
const MOST_LISTED = 20

const parts = ({ records, fields, lists }: Unread): string =>
  formatList(
    [
      records > 0 && formatCount(records, 'record'),
      fields > 0 && formatCount(fields, 'field'),
      lists > 0 && formatCount(lists, 'list'),
    ].filter((part) => part !== false),
  )

/** Texts of the export and import of an organisation. */
export const archiveMessages = {
  title: 'Export and import',
  lead: 'Everything in this organisation as one file: accounts, plans, updates, initiatives, actions and templates. It is made on this device and works offline.',
  asOf: (at: number) => `As of ${moment(at)}.`,
  neverSynced: 'Not everything has been downloaded to this device yet.',
  unread: (unread: Unread) =>
    `${parts(unread)} could not be read from the server: what they have is missing or older than the rest.`,
  unsent: (changes: number) =>
    `${formatCount(changes, 'change')} not sent yet ${changes === 1 ? 'is' : 'are'} included.`,
  withoutUpdates: (plans: number) =>
    `Updates of ${formatCount(plans, 'plan')} are not on this device and will be missing. Open ${plans === 1 ? 'it' : 'them'} once to include them.`,
  notImportable: ({ lines, archiveBytes }: { lines: number; archiveBytes: number }) =>
    `The archive is too large to be imported again: an import takes ${formatNumber(lines)} records and ${formatNumber(archiveBytes / 1_000_000)} MB.`,
  insecure: 'This needs a secure connection (HTTPS).',
  loading: 'Reading from this device.',
  unreadable:
    'Not all records of this organisation could be read, neither on this device nor from the server. Try again when you are online.',
  export: 'Export organisation',
  exported: 'The archive is saved',
  import: 'Import an archive',
  fileName: (organisation: string, day: string) => `${organisation}-${day}.cairn.zip`,

  importTitle: 'Import an archive',
  importLead: (organisation: string) =>
    sentence`Adds the records of an exported organisation to ${organisation}. You see a preview before anything is added.`,
  back: 'General',
  file: 'Archive',
  fileHint: 'The .cairn.zip file of an export. At most 25 MB.',
  failed: 'This file could not be read. Choose it again.',
  reading: 'Checking the file',
  refusedTitle: 'This archive cannot be imported',
  refused: 'Nothing was added.',
  inFile: (file: string, line: number | undefined) =>
    line === undefined ? file : `${file}, line ${formatNumber(line)}`,
  limit: (what: string, most: number) =>
    `The Free plan includes ${formatCount(most, what)}, and there is not enough room for this archive.`,

  preview: 'Preview',
  from: (name: string, at: string) => sentence`${name}, exported ${moment(at)}`,
  previewLabel: 'Contents of the archive',
  kind: 'Records',
  added: 'New',
  known: 'Already here',
  number: formatNumber,
  collections: {
    accounts: 'Accounts',
    success_plans: 'Plans',
    success_plan_updates: 'Updates',
    initiatives: 'Initiatives',
    actions: 'Actions',
    templates: 'Templates',
  },
  authors:
    'Updates count as written by you, with their own dates. The name of another author is kept in the text.',
  missing: (names: readonly string[]) =>
    `${formatList(names)} ${names.length === 1 ? 'is not a member' : 'are not members'} here. Their plans become yours; their accounts, initiatives and actions have no owner or assignee until you choose one.`,
  word: (field: string, value: string) =>
    sentence`${field} “${value.replace(/^(.{80}).+/su, '$1…')}”`,
  unknown: (words: readonly string[]) => {
    const more = words.length - MOST_LISTED
    const listed = words.slice(0, MOST_LISTED)
    const all = more > 0 ? [...listed, `${formatNumber(more)} more`] : words
    return sentence`Cairn does not accept these values and leaves them out: ${formatList(all)}.`
  },
  incomplete: (plans: number) =>
    `Updates of ${formatCount(plans, 'plan')} were not on the device that made the archive, and are not in it.`,
  notRead: (unread: Unread) =>
    `${parts(unread)} could not be read when the archive was made: what they have is missing or older than the rest.`,
  targetUnread:
    'Not all records here could be read. What of the archive is among them would be added again.',
  templatesLater: (templates: number) =>
    `${formatCount(templates, 'template')} can only be added by an owner or admin who is online. Import the same archive again then: nothing is added twice.`,
  nothing: 'Everything in this archive is here already.',
  add: (records: number) => `Add ${formatCount(records, 'record')}`,
  cancel: 'Cancel',

  progress: 'Saving on this device',
  saving: (done: number, all: number) =>
    `${formatNumber(done)} of ${formatCount(all, 'change')} saved on this device`,
  stop: 'Stop here',
  done: (changes: number) => `${formatCount(changes, 'change')} saved on this device`,
  sent: (sent: number, all: number) =>
    sent === all
      ? 'All changes are sent.'
      : `${formatNumber(sent)} of ${formatNumber(all)} are sent. The rest follow automatically, even when this page is closed.`,
  sentOffline: 'They are sent when you are online.',
  attention: (changes: number) =>
    `${formatCount(changes, 'change')} could not be saved on the server: the sync panel says why.`,
  show: 'Show plans',
  another: 'Import another archive',
} as const satisfies Messages
