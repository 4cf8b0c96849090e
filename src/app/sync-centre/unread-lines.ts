// The report of what could not be read, in sentences.
import type { UnreadValue } from '../../../contract/schemas/read-records.ts'
import type { ReadReport } from '../../sync/core/pull/read-report.ts'
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

/** The field that a path begins with. */
const fieldOf = (path: string): string => path.split('.')[0] ?? path
