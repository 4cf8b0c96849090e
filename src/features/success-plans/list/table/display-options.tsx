import { density, DENSITIES } from '../../../../ui/list/density.ts'
import { SelectField } from '../../../../ui/form/field.tsx'
import { GROUPS, type Group, type Selection } from '../view.ts'
import { HIDEABLE, hiddenColumns } from './columns.tsx'
import { planColumnMessages, toolMessages as messages } from './messages.ts'

interface DisplayOptionsProps {
  selection: Selection
  onChange: (change: Partial<Selection>) => void
}

const CHOICE = 'flex min-h-8 items-center gap-2.5 rounded-sm coarse:min-h-11'
const BOX = 'size-4 shrink-0'

/** How the table shows the plans: groups, row height, columns. */
export function DisplayOptions({ selection, onChange }: DisplayOptionsProps) {
  const chosen = density.useValue()
  const hidden = hiddenColumns(selection.hidden)
  return (
    <div className="grid gap-4">
      <SelectField
        label={messages.group}
        value={selection.group}
        onChange={(event) => onChange({ group: event.target.value as Group })}
      >
        {GROUPS.map((group) => (
          <option key={group} value={group}>
            {messages.groups[group]}
          </option>
        ))}
      </SelectField>
      <fieldset>
        <legend className="mb-1 font-semibold">{messages.density}</legend>
        {DENSITIES.map((one) => (
          <label key={one} className={CHOICE}>
            <input
              type="radio"
              name="density"
              className={BOX}
              checked={one === chosen}
              onChange={() => density.choose(one)}
            />
            {messages.densities[one]}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend className="mb-1 font-semibold">{messages.columns}</legend>
        {HIDEABLE.map((key) => (
          <label key={key} className={CHOICE}>
            <input
              type="checkbox"
              className={BOX}
              checked={!hidden.has(key)}
              onChange={() => {
                const after = HIDEABLE.filter((one) => hidden.has(one) !== (one === key))
                onChange({ hidden: after.join(',') })
              }}
            />
            {planColumnMessages[key]}
          </label>
        ))}
      </fieldset>
    </div>
  )
}
