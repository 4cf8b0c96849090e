// The report of what could not be read, in sentences.
import type { UnreadValue } from '../../../contract/schemas/read-records.ts'
import { fieldName } from '../../data/operations/field-labels.ts'
import type { ReadReport, ServerReport } from '../../sync/core/pull/read-report.ts'
import { unreadMessages as messages } from './unread-messages.ts'

/** A sentence for each collection, field and reason, and for each list that was refused. */
export function unreadLines({ unread, refused }: ReadReport): string[] {
  const groups = new Map<string, UnreadValue[]>()
  for (const value of unread) {
    const { collection, path, reason, leftOut } = value
    const key = JSON.stringify([collection, leftOut, fieldOf(path), reason])
    groups.set(key, [...(groups.get(key) ?? []), value])
  }
  const values = [...groups.values()].map((group) => {
    const [first] = group as [UnreadValue, ...UnreadValue[]]
    const say = first.leftOut === 'record' ? messages.records : messages.fields
    return say(group.length, first.collection, fieldOf(first.path), first.reason)
  })
  const lists = Object.entries(refused).map(([name, status]) => messages.refused(name, status))
  return [...values, ...lists]
}

/** A line for each collection of which the server does not keep some fields. */
export const notKeptLines = ({ notKept }: ServerReport): string[] =>
  Object.entries(notKept).map(([name, fields]) => messages.notKept(name, fields.map(fieldName)))

/** The field that a path begins with. */
const fieldOf = (path: string): string => path.split('.')[0] ?? path
