import type { Encoding, Unreadable } from './decode-file.ts'

const NUMBER = new Intl.NumberFormat('en')
const count = (many: number, one: string) =>
  `${NUMBER.format(many)} ${many === 1 ? one : `${one}s`}`

/** What the import of lists says, whatever they are lists of. */
export const importMessages = {
  file: 'CSV file',
  fileHint:
    'With a heading for each column; commas, semicolons or tabs between them. At most 5 MB.',
  columns: 'Columns that are read:',
  example: 'Download an empty list',
  encoding: 'Encoding',
  encodings: {
    'utf-8': 'UTF-8',
    'utf-16le': 'UTF-16',
    'utf-16be': 'UTF-16, big end first',
    'windows-1252': 'Windows-1252 (Western Europe)',
  } satisfies Record<Encoding, string>,
  ignored: (columns: readonly string[]) => `Not read: ${columns.join(', ')}.`,
  unreadable: {
    empty: 'This file is empty.',
    large: 'This file is larger than 5 MB. Split the list, and import one part after the other.',
    workbook: 'This is a workbook. Save the sheet as CSV first, then import that file.',
    binary: 'This is no text. Export the list as CSV, and import that file.',
  } satisfies Record<Unreadable, string>,
  failed: 'This file could not be read. Choose it once more.',
  tooLong: 'This list is longer than 5,000 rows. Split it, and import one part after the other.',
  noRequired: (column: string) =>
    `No column is called “${column}”. Put the names of the columns into the first row.`,
  noRows: 'There is nothing under the names of the columns.',
  reading: 'Reading the file',

  nobody: (name: string) => `Nobody in the organisation is called “${name}”.`,
  noAccount: (name: string) => `No account is called “${name}”. Add it first.`,
  several: (name: string) => `More than one is called “${name}”.`,

  number: (value: number) => NUMBER.format(value),
  row: 'Row',
  rowNumber: (row: number) => `Row ${NUMBER.format(row)}`,
  what: 'What becomes of it',
  ready: 'Ready',
  known: 'There already',
  wrongTitle: 'Needs a correction in the file',
  previewTitle: 'Preview',
  more: (rows: number) => `and ${count(rows, 'more row')}`,
  summaryKnown: (rows: number) => `${count(rows, 'row')} there already, left as they are`,
  summaryWrong: (rows: number) => `${count(rows, 'row')} with something wrong, left out`,
  preview: 'Rows of the file',

  saving: (done: number, all: number) =>
    `${NUMBER.format(done)} of ${NUMBER.format(all)} saved on this device`,
  progress: 'Saving on this device',
  stop: 'Stop here',
  cancel: 'Cancel',
  stopped: 'Stopped. What was saved stays; the same file goes on where this ended.',
  full: 'The device is full, so the rest is not saved. Free some space and choose the same file again: what is saved is recognised.',
  failedToSave:
    'The rest could not be saved on the device. Choose the same file again: what is saved is recognised.',
  sent: (sent: number, all: number) =>
    sent === all
      ? 'All of them are sent.'
      : `${NUMBER.format(sent)} of ${NUMBER.format(all)} are sent; the others follow by themselves, also when this page is closed.`,
  sentOffline: 'They are sent as soon as there is a network.',
  attention: (rows: number) =>
    `${count(rows, 'row')} could not be taken by the server: the sync panel says why.`,
  another: 'Import another file',
} as const

/** What the import of accounts says. */
export const accountImportMessages = {
  title: 'Import accounts',
  lead: 'A list of customers from a spreadsheet or another program. Nothing is added before you have seen it.',
  back: 'Accounts',
  fileName: 'accounts.csv',
  add: (rows: number) => `Add ${count(rows, 'account')}`,
  summaryReady: (rows: number) => `${count(rows, 'account')} can be added`,
  done: (rows: number) => `${count(rows, 'account')} saved on this device`,
  show: 'Show the accounts',
  limit: (most: number) => `The free plan holds ${NUMBER.format(most)} accounts.`,
} as const

/** What the import of plans says. */
export const planImportMessages = {
  title: 'Import success plans',
  lead: 'A list of plans from a spreadsheet or another program, each for an account that is here. Nothing is added before you have seen it.',
  back: 'Success plans',
  fileName: 'success-plans.csv',
  add: (rows: number) => `Add ${count(rows, 'plan')}`,
  summaryReady: (rows: number) => `${count(rows, 'plan')} can be added`,
  done: (rows: number) => `${count(rows, 'plan')} saved on this device`,
  show: 'Show the plans',
  limit: (most: number) => `The free plan holds ${NUMBER.format(most)} open plans.`,
} as const
