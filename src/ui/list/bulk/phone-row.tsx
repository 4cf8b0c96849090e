import { Link, type LinkProps } from 'react-router'
import type { SelectableRows } from './bulk-selection.tsx'

interface PhoneRowProps extends LinkProps {
  id: string
  /** The accessible name of its checkbox. */
  selectLabel: string
  /** Undefined where rows are links. */
  rows: SelectableRows['checkboxes']
  className: string
}

/** A row of a list of phones: a link over its whole area, or with a checkbox that the whole area toggles. */
export function PhoneRow({ id, selectLabel, rows, className, children, ...link }: PhoneRowProps) {
  if (!rows)
    return (
      <Link {...link} className={`group -outline-offset-2 hover:bg-raised ${className}`}>
        {children}
      </Link>
    )
  const isSelected = rows.selected.has(id)
  return (
    <label className={`relative ps-11! ${className} ${isSelected ? 'bg-accent-soft' : ''}`}>
      <input
        type="checkbox"
        data-key="x"
        className="absolute start-3 top-1/2 size-5 -translate-y-1/2"
        aria-label={selectLabel}
        checked={isSelected}
        onChange={() => rows.toggle(id, false)}
      />
      {children}
    </label>
  )
}
