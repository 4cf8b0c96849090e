import type { Messages } from '../../../../contract/text/catalogue.ts'
import { isolate, sentence } from '../../../../contract/text/sentence.ts'
import type { PlanStatus } from '../../../../contract/values.ts'
import { shortDay } from '../../../ui/text/dates.ts'
import { formatCount, formatNumber, labelOf } from '../../../ui/text/format.ts'
import type { EditedField } from '../../cells/editable-cell.tsx'
import type { LeftOut, RecordChange } from './record-change.ts'

const inWords = (word: string) => word.replaceAll('-', ' ')

/** A number of records in words, such as `3 plans`. */
export type CountOf = (records: number) => string

/** A record with a title, and those of its fields that are edited in a cell. */
export type NamedRecord = { title: string; start_date?: string | null } & {
  [Field in EditedField]?: string | null
}

const FIELDS: Record<RecordChange['kind'] | EditedField, string> = {
  owner: 'Owner',
  owner_id: 'Owner',
  end: 'End date',
  end_date: 'End date',
  move: 'End date',
  status: 'Status',
  health: 'Health',
  tier: 'Tier',
}

/** The value of a field in words. */
function valueOf(field: EditedField, record: NamedRecord, owner: string | undefined): string {
  if (field === 'owner_id') return owner ?? 'none'
  const value = record[field]
  if (!value) return field === 'health' ? 'not rated' : 'none'
  return field === 'end_date' ? shortDay(value) : inWords(value)
}

/** The title of a single record, the number of several. */
export function namedRecords(records: readonly { title: string }[], countOf: CountOf): string {
  const [only] = records
  return records.length === 1 && only ? `“${isolate(only.title)}”` : countOf(records.length)
}

/** Texts about changing one or many records from their list. */
export const manyMessages = {
  fields: FIELDS,
  /** The name of what edits a cell. */
  cell: (field: EditedField, record: NamedRecord, owner: string | undefined) =>
    sentence`${FIELDS[field]} of “${record.title}”: ${valueOf(field, record, owner)}`,
  exportCsv: 'Export CSV',
  statusOption: (status: string, allowed: number, all: number) =>
    allowed === all || allowed === 0
      ? labelOf(status)
      : `${labelOf(status)} (${formatNumber(allowed)} of ${formatNumber(all)})`,
  notAllowed: 'Their present status does not allow it.',
  healthOption: labelOf,

  statusTitle: (status: PlanStatus, records: string) =>
    ({
      planned: `Restore ${records} as planned`,
      'in-progress': `Set ${records} in progress`,
      paused: `Pause ${records}`,
      completed: `Complete ${records}`,
      cancelled: `Cancel ${records}`,
    })[status],
  endTitle: (records: string) => `End date of ${records}`,
  endHow: 'New end date',
  endOnDay: 'On one day',
  endMoved: 'Move each one',
  endNone: 'No end date',
  day: 'Day',
  moveBy: 'By',
  unit: 'Unit',
  units: { days: 'days', weeks: 'weeks' },
  direction: 'Direction',
  directions: { later: 'later', earlier: 'earlier' },
  skipWeekends: (ends: number) =>
    ends === 1
      ? '1 end is on a weekend. Move it on to the next working day.'
      : `${formatCount(ends, 'end')} are on a weekend. Move them on to the next working day.`,
  badDay: 'Enter a complete date.',
  dayTooEarly: (first: string) => `Enter a date from ${shortDay(first)} on.`,
  save: 'Save',
  badMove: 'Enter a whole number from 1 to 999.',
  change: (records: string) => `Change ${records}`,
  cancel: 'Cancel',

  leftOut: (records: string, isOne: boolean) =>
    isOne ? `${records} stays as it is:` : `${records} stay as they are:`,
  leftOutRecord: ({ record, reason }: LeftOut, change: RecordChange) => {
    if (reason === 'transition') return sentence`${record.title} (${inWords(record.status)})`
    if (reason === 'no-end') return sentence`${record.title} (no end date)`
    if (reason === 'before-start')
      return sentence`${record.title} (starts ${record.start_date ? shortDay(record.start_date) : ''})`
    const already =
      change.kind === 'status' ? change.status : change.kind === 'health' ? change.health : 'so'
    return sentence`${record.title} (already ${inWords(already)})`
  },
  leftOutMore: (records: number) => `and ${formatNumber(records)} more`,
  changed: (change: RecordChange, records: string) =>
    `${FIELDS[change.kind]} of ${records} changed`,
} as const satisfies Messages
