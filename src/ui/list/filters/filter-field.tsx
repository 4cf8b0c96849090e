import { SelectField } from '../../form/field.tsx'
import type { ListFilter } from './list-filters.tsx'

/** One filter as a select. */
export function FilterField({
  label,
  value,
  options,
  onChange,
  withLabel = false,
}: ListFilter & { withLabel?: boolean }) {
  return (
    <SelectField
      label={label}
      labelHidden={!withLabel}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={withLabel ? '' : value === '' ? 'text-ink-muted!' : 'font-semibold'}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}
