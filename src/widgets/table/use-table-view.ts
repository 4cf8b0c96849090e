import { useMemo } from 'react'
import type { TableColumn } from '../../ui/list/table-row.tsx'
import { groupItems, type Grouping } from './grouping.ts'

/**
 * The groups and the columns that the address asks for, and the items in the order in which the list shows them.
 */
export function useTableView<T>(
  params: URLSearchParams,
  items: readonly T[],
  /** Stable. */
  groupings: Readonly<Record<string, Grouping<T>>>,
) {
  const name = params.get('group') ?? ''
  const grouping = Object.hasOwn(groupings, name) ? groupings[name] : undefined
  return useMemo(() => {
    const groups = grouping && groupItems(items, grouping)
    const hidden = new Set(params.get('hidden')?.split(','))
    return {
      groups,
      items: groups?.flatMap((group) => group.items) ?? items,
      /** The first column names the row. */
      isShown: ({ key }: TableColumn<T>, at: number) => at === 0 || !hidden.has(key),
    }
  }, [items, grouping, params])
}
