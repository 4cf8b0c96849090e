import { useEffect, useMemo, useRef } from 'react'
import type { SelectableRows } from './bulk-selection.tsx'
import type { RowSelection } from '../row-selection.tsx'

type Offered = Omit<RowSelection, 'label'>

const NONE: ReadonlySet<string> = new Set()

/**
 * What the rows of a table offer for a selection, with their labels. What is pressed before `rows` is loaded is done
 * then. `idOf` and `labelOf` are stable.
 */
export function useRowSelection<T>(
  rows: Pick<SelectableRows, 'selection'> | undefined,
  items: readonly T[],
  idOf: (item: T) => string,
  labelOf: (item: T) => string,
): RowSelection {
  const pressed = useRef<((selection: Offered) => void)[]>([])
  const waiting = useMemo(
    (): Offered => ({
      selected: NONE,
      toggle: (...row) => pressed.current.push((selection) => selection.toggle(...row)),
      toggleAll: (ids) => pressed.current.push((selection) => selection.toggleAll(ids)),
    }),
    [],
  )
  const loaded = rows?.selection
  useEffect(() => {
    if (loaded) for (const press of pressed.current.splice(0)) press(loaded)
  }, [loaded])
  const offered = loaded ?? waiting
  const byId = useMemo(() => new Map(items.map((item) => [idOf(item), item])), [items, idOf])
  return useMemo(() => {
    const label = (id: string) => {
      const item = byId.get(id)
      return item === undefined ? '' : labelOf(item)
    }
    return { ...offered, label }
  }, [offered, byId, labelOf])
}
