import { X } from 'lucide-react'
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import { Button } from '../../../../ui/button.tsx'
import { SelectField } from '../../../../ui/form/field.tsx'
import { FILTERS, type Selection } from '../view.ts'
import { FILTER_LABELS, useFilterChoices } from './filter-choices.ts'
import { toolMessages as messages } from './messages.ts'

interface FilterRowProps {
  selection: Selection
  /** All plans, filtered or not. */
  all: readonly SuccessPlan[]
  onChange: (change: Partial<Selection>) => void
}

/** The filters, one beside the other. They apply at once. */
export function FilterRow({ selection, all, onChange }: FilterRowProps) {
  const choices = useFilterChoices(all)
  const isFiltered = FILTERS.some((name) => selection[name] !== '')
  return (
    <fieldset
      aria-label={messages.filters}
      className="grid basis-full grid-cols-3 items-center gap-2 @4xl:grid-cols-[repeat(5,minmax(0,1fr))_auto]"
    >
      {FILTERS.map((name) => (
        <SelectField
          key={name}
          label={FILTER_LABELS[name]}
          labelHidden
          value={selection[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
          className={selection[name] === '' ? 'text-ink-muted!' : 'font-semibold'}
        >
          {choices[name].map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
      ))}
      <Button
        variant="quiet"
        className={isFiltered ? '' : 'invisible'}
        onClick={() => onChange({ status: '', health: '', owner: '', account: '', end: '' })}
      >
        <X aria-hidden />
        {messages.clear}
      </Button>
    </fieldset>
  )
}
