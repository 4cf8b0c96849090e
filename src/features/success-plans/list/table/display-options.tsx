import { SelectField } from '../../../../ui/form/field.tsx'
import { DISPLAY_CHOICE, DisplayPanel } from '../../../../ui/list/filters/display-panel.tsx'
import { GROUPS, type Group, type Selection } from '../view.ts'
import { HIDEABLE, hiddenColumns } from './columns.tsx'
import { planColumnMessages, toolMessages as messages } from './messages.ts'

interface DisplayOptionsProps {
  selection: Selection
  onChange: (change: Partial<Selection>) => void
}

/** How the table shows the plans: row height, groups, columns. */
export function DisplayOptions({ selection, onChange }: DisplayOptionsProps) {
  const hidden = hiddenColumns(selection.hidden)
  return (
    <DisplayPanel>
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
        <legend className="mb-1 font-semibold">{messages.columns}</legend>
        {HIDEABLE.map((key) => (
          <label key={key} className={DISPLAY_CHOICE}>
            <input
              type="checkbox"
              className="size-4 shrink-0"
              checked={!hidden.has(key)}
              onChange={() => {
                const after = HIDEABLE.filter((one) => hidden.has(one) !== (one === key))
                onChange({ hidden: after.join(',') })
              }}
            />
            {planColumnMessages[key]}
          </label>
        ))}
        <p className="mt-1 text-xs text-ink-faint">{messages.columnsHint}</p>
      </fieldset>
    </DisplayPanel>
  )
}
