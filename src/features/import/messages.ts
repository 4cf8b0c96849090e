import type { Encoding, Unreadable } from './decode-file.ts'
import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'
import { formatCount, formatList, formatNumber } from '../../ui/text/format.ts'

/** Texts of every CSV import. */
export const importMessages = {
  file: 'CSV file',
  fileHint:
    'With a heading for each column, separated by commas, semicolons or tabs. At most 5 MB.',
  columns: 'Recognised columns:',
  emptyFile: 'Download an empty file',
  encoding: 'Encoding',
  encodings: {
    'utf-8': 'UTF-8',
    'utf-16le': 'UTF-16',
    'utf-16be': 'UTF-16 (big-endian)',
    'windows-1250': 'Windows-1250 (Central Europe)',
    'windows-1251': 'Windows-1251 (Cyrillic)',
    'windows-1252': 'Windows-1252 (Western Europe)',
    'windows-1253': 'Windows-1253 (Greek)',
    'windows-1254': 'Windows-1254 (Turkish)',
    'windows-1255': 'Windows-1255 (Hebrew)',
    'windows-1256': 'Windows-1256 (Arabic)',
    'windows-1257': 'Windows-1257 (Baltic)',
    'windows-1258': 'Windows-1258 (Vietnamese)',
    'windows-874': 'Windows-874 (Thai)',
    shift_jis: 'Shift JIS (Japanese)',
    gb18030: 'GB 18030 (simplified Chinese)',
    big5: 'Big5 (traditional Chinese)',
    'euc-kr': 'EUC-KR (Korean)',
  } satisfies Record<Encoding, string>,
  ignored: (columns: readonly string[]) => `Ignored: ${formatList(columns)}.`,
  mapping: (used: number, all: number) => `Columns: ${used} of ${all} used`,
  mappingLead:
    'Choose what each column of your file is. A column that is left out is not imported.',
  mappingLabel: 'Columns of the file',
  unnamedColumn: (at: number) => `Column ${at}`,
  example: (cell: string) => sentence`For example: ${cell}`,
  emptyColumn: 'Empty in every row',
  leaveOut: 'Leave out',
  unreadable: {
    empty: 'This file is empty.',
    large: 'This file is larger than 5 MB. Split the list and import the parts one by one.',
    workbook: 'This is a workbook. Save the sheet as CSV first, then import that file.',
    binary: 'This is not a text file. Export the list as CSV, then import that file.',
  } satisfies Record<Unreadable, string>,
  failed: 'This file could not be read. Choose it again.',
  unclosedQuote: (line: number) =>
    `Line ${formatNumber(line)} begins a cell with a quotation mark that is never closed. The file may be cut off. Export the list once more, or correct the line.`,
  damagedLetter:
    'A letter cannot be read here. Correct it in the file, or choose another encoding.',
  cutOff: (cells: number, all: number) =>
    `The file ends within this row, which has ${formatNumber(cells)} of ${formatCount(all, 'cell')}. More rows may be missing. Export the list once more, or complete the row.`,
  tooLong: 'This list is longer than 5,000 rows. Split it and import the parts one by one.',
  noRequired: (column: string) =>
    `No column is called “${column}”. Choose it below, or put the column names in the first row.`,
  noRows: 'There are no rows below the column names.',
  reading: 'Reading the file',
  readingRecords: 'Reading the accounts, people and plans of this organisation',
  incomplete:
    'Not everything has been downloaded to this device yet. Rows can be refused for that reason, and what exists already is not recognised. Wait for the download before you add them.',
  unread:
    'Not everything that the rows are compared with could be read from the server. Rows can be refused for that reason, and what exists already may not be recognised.',

  unknownCurrency: (sign: string, currency: string) =>
    sentence`“${sign}” is not a sign of ${currency}. Add a column “Currency” with the code of the right one, for example USD.`,
  otherCurrency: (currency: string) =>
    sentence`This amount is not in ${currency}, the currency of its row. Correct one of the two.`,
  unknownMember: (name: string) => sentence`No one in the organisation is called “${name}”.`,
  noAccount: (name: string) => sentence`No account is called “${name}”. Add it first.`,
  noTemplate: (title: string) =>
    sentence`No template is called “${title}”. Add it first, or leave the column out.`,
  noPlan: (title: string) => sentence`No plan is called “${title}”. Import the plans first.`,
  /** In place of the four above on a device that does not have everything. */
  notDownloaded: (name: string) =>
    sentence`“${name}” is not on this device. It may not be downloaded yet.`,
  several: (name: string) => sentence`More than one is called “${name}”.`,
  severalPlans: (title: string) =>
    sentence`More than one plan is called “${title}”. Add a column with the account.`,
  updatesMissing:
    'Updates of this plan are not on this device, so those that exist already cannot be recognised. Open the plan once, then choose the file again.',
  importedAs: (status: string) => `Imported as ${status}.`,
  /** The last line of an update whose author is not the user who imports it. */
  writtenBy: (name: string) => sentence`Written by ${name}`,

  number: formatNumber,
  row: 'Row',
  rowNumber: (row: number) => `Row ${formatNumber(row)}`,
  result: 'Result',
  ready: 'Ready',
  known: 'Already exists',
  wrongTitle: 'Needs correcting in the file',
  previewTitle: 'Preview',
  more: (rows: number) => `and ${formatCount(rows, 'more row')}`,
  summaryKnown: (rows: number) =>
    `${formatCount(rows, 'row')} already ${rows === 1 ? 'exists' : 'exist'}, left unchanged`,
  summaryWrong: (rows: number) => `${formatCount(rows, 'row')} with errors, left out`,
  preview: 'Rows of the file',

  saving: (done: number, all: number) =>
    `${formatNumber(done)} of ${formatNumber(all)} saved on this device`,
  progress: 'Saving on this device',
  stop: 'Stop here',
  cancel: 'Cancel',
  stopped: 'Stopped. What was saved stays. Choose the same file to continue from there.',
  full: 'The device is full, so the rest is not saved. Free some space and choose the same file again: rows that are saved are recognised.',
  failedToSave:
    'The rest could not be saved on this device. Choose the same file again: rows that are saved are recognised.',
  sent: (sent: number, all: number) =>
    sent === all
      ? 'All rows are sent.'
      : `${formatNumber(sent)} of ${formatNumber(all)} are sent. The rest follow automatically, even when this page is closed.`,
  sentOffline: 'They are sent when you are online.',
  attention: (rows: number) =>
    `${formatCount(rows, 'row')} could not be saved on the server: the sync panel says why.`,
  another: 'Import another file',
} as const satisfies Messages

/** Texts of the account import. */
export const accountImportMessages = {
  title: 'Import accounts',
  lead: 'A list of customers from a spreadsheet or another program. You see a preview before anything is added.',
  back: 'Accounts',
  fileName: 'accounts.csv',
  add: (rows: number) => `Add ${formatCount(rows, 'account')}`,
  summaryReady: (rows: number) => `${formatCount(rows, 'account')} can be added`,
  done: (rows: number) => `${formatCount(rows, 'account')} saved on this device`,
  show: 'Show accounts',
  limit: (most: number) => `The Free plan includes ${formatCount(most, 'account')}.`,
} as const satisfies Messages

/** Texts of the plan import. */
export const planImportMessages = {
  title: 'Import success plans',
  lead: 'A list of plans from a spreadsheet or another program, each for an existing account. You see a preview before anything is added.',
  back: 'Success plans',
  fileName: 'success-plans.csv',
  add: (rows: number) => `Add ${formatCount(rows, 'plan')}`,
  summaryReady: (rows: number) => `${formatCount(rows, 'plan')} can be added`,
  done: (rows: number) => `${formatCount(rows, 'plan')} saved on this device`,
  show: 'Show plans',
  updatesLead: 'The updates of plans that are here can be imported from a file of their own:',
  updates: 'Import past updates',
  limit: (most: number) => `The Free plan includes ${formatCount(most, 'open plan')}.`,
} as const satisfies Messages

/** Texts of the import of past updates. */
export const updateImportMessages = {
  title: 'Import past updates',
  lead: 'A list of updates, each with the plan that it belongs to, its date and its text. They count as written by you; the name of another author is kept in the text.',
  back: 'Success plans',
  fileName: 'updates.csv',
  add: (rows: number) => `Add ${formatCount(rows, 'update')}`,
  summaryReady: (rows: number) => `${formatCount(rows, 'update')} can be added`,
  done: (rows: number) => `${formatCount(rows, 'update')} saved on this device`,
  show: 'Show plans',
} as const satisfies Messages

/** Texts that every kind of import has. */
export type ImportKindMessages =
  | typeof accountImportMessages
  | typeof planImportMessages
  | typeof updateImportMessages
