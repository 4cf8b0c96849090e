import { SelectField } from '../../ui/form/field.tsx'
import { ViewsPanel, type ViewsPanelProps } from './views-panel.tsx'
import { tableMessages as messages } from './messages.ts'

interface SheetToolsProps extends ViewsPanelProps {
  /** What the rows are grouped by; empty for the first one. */
  group: string
  /** What they can be grouped by. */
  groups: Readonly<Record<string, string>>
  onChange: (change: { group: string }) => void
}

/** In the sheet of filters on a phone: groups, and saved views. */
export const SheetTools = ({ group, groups, onChange, ...views }: SheetToolsProps) => (
  <>
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
    <section aria-label={messages.views} className="border-t border-line pt-4">
      <h3 className="mb-2 font-semibold">{messages.views}</h3>
      <ViewsPanel {...views} />
    </section>
  </>
)
