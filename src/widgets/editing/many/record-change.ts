// One change of several records: which of them it changes, which stay as they are and why. Pure.
import { transitionsFrom } from '../../../../contract/rules.ts'
import { addDays, nextWorkday } from '../../../../contract/schemas/days.ts'
import { endsAfterStart } from '../../../../contract/schemas/success-plans.ts'
import type { Health, PlanStatus } from '../../../../contract/values.ts'

/** What plans and initiatives have in common. */
export interface ChangeableRecord {
  id: string
  title: string
  status: string
  health: string | null
  owner_id: string | null
  start_date: string | null
  end_date: string | null
}

/** A new end of one or more records. */
export type EndChange =
  | { kind: 'end'; end_date: string | null }
  /**
   * Moves the end date by that many days; negative moves it to an earlier day. With `skipsWeekends` an end
   * that is then on a weekend moves on to the next working day.
   */
  | { kind: 'move'; days: number; skipsWeekends?: boolean }

/** What a user changes on one or more records. */
export type RecordChange =
  | EndChange
  | { kind: 'owner'; owner_id: string }
  | { kind: 'status'; status: PlanStatus }
  | { kind: 'health'; health: Health }

/** Why a change leaves a record out. `same`: it is so already. */
type LeftOutReason = 'same' | 'transition' | 'no-end' | 'before-start'

/** A record that a change leaves out. */
export interface LeftOut {
  record: ChangeableRecord
  reason: LeftOutReason
}

type Dated = Pick<ChangeableRecord, 'end_date'>

/** The end date of a record after a change. */
export function endAfter({ end_date }: Dated, change: RecordChange): string | null {
  if (change.kind === 'end') return change.end_date
  if (change.kind !== 'move' || !end_date) return end_date
  const moved = addDays(end_date, change.days)
  return change.skipsWeekends ? nextWorkday(moved) : moved
}

function reasonOf(record: ChangeableRecord, change: RecordChange): LeftOutReason | undefined {
  if (change.kind === 'owner') return record.owner_id === change.owner_id ? 'same' : undefined
  if (change.kind === 'health') return record.health === change.health ? 'same' : undefined
  if (change.kind === 'status') {
    if (record.status === change.status) return 'same'
    return transitionsFrom(record.status).includes(change.status) ? undefined : 'transition'
  }
  if (change.kind === 'move' && !record.end_date) return 'no-end'
  const end_date = endAfter(record, change)
  if (end_date === record.end_date) return 'same'
  return endsAfterStart({ ...record, end_date }) ? undefined : 'before-start'
}

/** The records that a change would change, and those that it leaves out; both in their order. */
export function splitRecords<T extends ChangeableRecord>(
  records: readonly T[],
  change: RecordChange,
): { changed: T[]; leftOut: LeftOut[] } {
  const changed: T[] = []
  const leftOut: LeftOut[] = []
  for (const record of records) {
    const reason = reasonOf(record, change)
    if (reason) leftOut.push({ record, reason })
    else changed.push(record)
  }
  return { changed, leftOut }
}
