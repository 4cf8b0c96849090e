import { SelectField } from '../../form/field.tsx'
import { listMessages as messages } from '../messages.ts'
import type { ListFilter } from './list-filters.tsx'

/** One filter as a select. A value that is no option, such as an owner who has left, is shown as one. */
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
      {options.every(([option]) => option !== value) && (
        <option value={value}>{messages.otherValue}</option>
      )}
    </SelectField>
  )
}
