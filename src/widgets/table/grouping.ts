// Records of a table in groups, each with its heading. Pure.
import { HEALTHS, PLAN_STATUSES } from '../../../contract/values.ts'
import type { TableGroup } from '../../ui/list/groups.ts'
import { compareText } from '../../ui/text/format.ts'
import { statusMessages } from '../status/messages.ts'
import { groupMessages as messages } from './group-messages.ts'

/** What the records of a group have in common; null without a value. */
type Key = string | null

/** What records are grouped by. */
export interface Grouping<T> {
  keyOf: (item: T) => Key
  titleOf: (key: string) => string
  /** The title of the group without a value. */
  without: string
  /** Shown behind the number of records. */
  detailOf?: (items: readonly T[]) => string
  /** The keys in their order, unknown ones last, or by themselves; groups without it are sorted by title. */
  order?: readonly string[] | 'key'
}

/** By a day's month. */
export const byMonth = <T>(dayOf: (item: T) => Key, without: string): Grouping<T> => ({
  keyOf: (item) => dayOf(item)?.slice(0, 7) ?? null,
  titleOf: messages.month,
  without,
  order: 'key',
})

/** By status, in the order of a plan's life. */
export const byStatus = <T>(keyOf: (item: T) => string): Grouping<T> => ({
  keyOf,
  titleOf: statusMessages.statusOption,
  without: '',
  order: PLAN_STATUSES,
})

/** By health, the most urgent first. */
export const byHealth = <T>(keyOf: (item: T) => Key): Grouping<T> => ({
  keyOf,
  titleOf: statusMessages.health,
  without: messages.without.health,
  order: HEALTHS.toReversed(),
})

/** By owner. */
export const byOwner = <T>(
  keyOf: (item: T) => Key,
  titleOf: (user_id: string) => string,
): Grouping<T> => ({
  keyOf,
  titleOf,
  without: messages.without.owner,
})

/** By account. */
export const byAccount = <T>(
  keyOf: (item: T) => Key,
  nameOf: (account_id: string) => string | undefined,
): Grouping<T> => ({
  keyOf,
  titleOf: (id) => nameOf(id) ?? messages.unknown,
  without: messages.without.account,
})

/** The items in groups; in each the order stays. The group without a value comes last. */
export function groupItems<T>(
  items: readonly T[],
  { keyOf, titleOf, without, detailOf, order }: Grouping<T>,
): readonly TableGroup<T>[] {
  const rank = (key: Key) => {
    if (key === null) return Infinity
    if (order === undefined || order === 'key') return 0
    return order.includes(key) ? order.indexOf(key) : order.length
  }
  const groups = [...Map.groupBy(items, keyOf)].map(([value, own]) => ({
    value,
    key: value ?? '',
    title: value === null ? without : titleOf(value),
    detail: detailOf?.(own),
    items: own,
  }))
  return groups.toSorted((a, b) => {
    const [first, second] = [rank(a.value), rank(b.value)]
    if (first !== second) return first - second
    return order === 'key' ? (a.key < b.key ? -1 : 1) : compareText(a.title, b.title)
  })
}
