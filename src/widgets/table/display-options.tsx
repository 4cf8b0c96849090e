import { Settings2 } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { paramsInUrl } from '../../ui/form/use-url-text.ts'
import { density, DENSITIES } from '../../ui/list/density.ts'
import { Panel } from '../../ui/overlay/panel.tsx'
import { usePaneRoom } from '../../ui/platform/use-desktop.ts'
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

/** A radio button or a checkbox with its label. */
const CHOICE = 'flex min-h-8 items-center gap-2.5 rounded-sm coarse:min-h-11'

/** A button that opens the choices of row height, groups and columns. */
export function DisplayOptions(props: DisplayOptionsProps) {
  return (
    <Panel
      label={messages.display}
      className={`${buttonClass('quiet')} px-2.5!`}
      button={
        <>
          <Settings2 aria-hidden />
          {messages.display}
        </>
      }
    >
      <Choices {...props} />
    </Panel>
  )
}

function Choices(props: DisplayOptionsProps) {
  const { group, hidden, groups, columns, onChange } = props
  const left = hidden.split(',')
  const hasPane = usePaneRoom()
  return (
    <div className="grid gap-4">
      <RowHeight />
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
          <label key={key} className={CHOICE}>
            <input
              type="checkbox"
              className="size-4 shrink-0"
              checked={!left.includes(key)}
              onChange={() => {
                const now = paramsInUrl().get('hidden')?.split(',') ?? []
                const after = Object.keys(columns).filter(
                  (one) => now.includes(one) !== (one === key),
                )
                onChange({ hidden: after.join(',') })
              }}
            />
            {title}
          </label>
        ))}
        <p className="mt-1 text-xs text-ink-faint">{messages.columnsHint}</p>
      </fieldset>
      {hasPane && <p className="text-xs text-ink-faint">{messages.paneHint}</p>}
    </div>
  )
}

function RowHeight() {
  const chosen = density.useValue()
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">{messages.density}</legend>
      {DENSITIES.map((one) => (
        <label key={one} className={CHOICE}>
          <input
            type="radio"
            name="density"
            className="size-4 shrink-0"
            checked={one === chosen}
            onChange={() => density.choose(one)}
          />
          {messages.densities[one]}
        </label>
      ))}
    </fieldset>
  )
}
