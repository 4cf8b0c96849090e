import { DISPLAY_CHOICE, DisplayPanel } from '../../ui/list/filters/display-panel.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { tableMessages as messages } from './messages.ts'

/** How a table shows its rows. */
interface Display {
  /** What they are grouped by; empty for none. */
  group: string
  /** Columns that the table leaves out, with commas between; empty for none. */
  hidden: string
}

type Titles = Readonly<Record<string, string>>

export interface DisplayOptionsProps extends Display {
  /** What the rows can be grouped by. */
  groups: Titles
  /** The columns that can be left out. */
  columns: Titles
  onChange: (change: Partial<Display>) => void
}

/** The choices of row height, groups and columns. */
export function DisplayOptions(props: DisplayOptionsProps) {
  const { group, hidden, groups, columns, onChange } = props
  const left = hidden.split(',')
  return (
    <DisplayPanel>
      <SelectField
        label={messages.group}
        value={group}
        onChange={(event) => onChange({ group: event.target.value })}
      >
        {Object.entries(groups).map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </SelectField>
      <fieldset>
        <legend className="mb-1 font-semibold">{messages.columns}</legend>
        {Object.entries(columns).map(([key, title]) => (
          <label key={key} className={DISPLAY_CHOICE}>
            <input
              type="checkbox"
              className="size-4 shrink-0"
              checked={!left.includes(key)}
              onChange={() => {
                const after = Object.keys(columns).filter(
                  (one) => left.includes(one) !== (one === key),
                )
                onChange({ hidden: after.join(',') })
              }}
            />
            {title}
          </label>
        ))}
        <p className="mt-1 text-xs text-ink-faint">{messages.columnsHint}</p>
      </fieldset>
    </DisplayPanel>
  )
}
