import { useEffect, useRef } from 'react'
import { listMessages as messages } from './messages.ts'

/** Which rows of a table are selected, and how they are changed. Ids are those of the items. */
export interface RowSelection {
  selected: ReadonlySet<string>
  /** Selects one row or drops it; with `extend`, all rows from the last one that was changed. */
  toggle(id: string, extend: boolean): void
  /** Selects all these rows, or drops them if all are selected. */
  toggleAll(ids: readonly string[]): void
  /** The accessible name of a row's checkbox. */
  label(id: string): string
}

/** The checkbox fills its cell, so that the target is larger than the box. */
const CELL = 'grid h-full min-h-6 w-10 cursor-pointer place-items-center coarse:w-11'

interface SelectRowProps {
  label: string
  isSelected: boolean
}

/** The checkbox of a row. The table handles its change. */
export const SelectRow = ({ label, isSelected }: SelectRowProps) => (
  <label className={CELL}>
    <input
      type="checkbox"
      data-key="x"
      aria-label={label}
      checked={isSelected}
      readOnly
      className="size-4"
    />
  </label>
)

interface SelectAllProps {
  state: 'none' | 'some' | 'all'
  onToggle: () => void
}

/** The checkbox above all rows. */
export function SelectAll({ state, onToggle }: SelectAllProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'some'
  }, [state])
  return (
    <label className={CELL}>
      <input
        ref={box}
        type="checkbox"
        aria-label={messages.selectAll}
        checked={state === 'all'}
        onChange={onToggle}
        className="size-4"
      />
    </label>
  )
}
