import { useMemo } from 'react'

/** Rows of a table that belong together. */
export interface TableGroup<T> {
  key: string
  title: string
  /** Shown behind the number of rows. */
  detail?: string | undefined
  items: readonly T[]
}

/** The row above a group. A class, so that it can be distinguished from the items. */
export class GroupHeading {
  readonly id: string
  readonly title: string
  readonly detail: string | undefined
  readonly size: number

  constructor({ key, title, detail, items }: TableGroup<unknown>) {
    this.id = `group:${key}`
    this.title = title
    this.detail = detail
    this.size = items.length
  }
}

/** What the rows of a table show: its items, with a heading above each group. */
export function useEntries<T>(
  items: readonly T[],
  groups: readonly TableGroup<T>[] | undefined,
  idOf: (item: T) => string,
) {
  const entries = useMemo(
    (): readonly (T | GroupHeading)[] =>
      groups?.flatMap((group) => [new GroupHeading(group), ...group.items]) ?? items,
    [items, groups],
  )
  const entryId = (entry: T | GroupHeading) =>
    entry instanceof GroupHeading ? entry.id : idOf(entry)
  return { entries, entryId }
}
