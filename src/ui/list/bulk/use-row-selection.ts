import { useMemo } from 'react'
import type { SelectableRows } from './bulk-selection.tsx'
import { NOT_READY, type RowSelection } from '../row-selection.tsx'

/** What the rows of a table offer for a selection, with their labels. `idOf` and `labelOf` are stable. */
export function useRowSelection<T>(
  rows: SelectableRows | undefined,
  items: readonly T[],
  idOf: (item: T) => string,
  labelOf: (item: T) => string,
): RowSelection {
  const offered = rows?.selection ?? NOT_READY
  const byId = useMemo(() => new Map(items.map((item) => [idOf(item), item])), [items, idOf])
  return useMemo(() => {
    const label = (id: string) => {
      const item = byId.get(id)
      return item === undefined ? '' : labelOf(item)
    }
    return { ...offered, label }
  }, [offered, byId, labelOf])
}
