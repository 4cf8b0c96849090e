import { KeyHint } from '../../ui/key-hint.tsx'
import type { Item } from './palette-box.tsx'

interface PaletteOptionProps {
  id: string
  item: Item
  selected: boolean
  onSelect: () => void
}

/** One option. The focus stays in the text field; hovering selects the option. */
export function PaletteOption({ id, item, selected, onSelect }: PaletteOptionProps) {
  const { icon: Icon, label, detail, aside, keys, run } = item
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      // A native `<option>` cannot contain icons.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      aria-keyshortcuts={keys}
      onPointerMove={selected ? undefined : onSelect}
      onClick={run}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5 text-sm aria-selected:bg-sunken coarse:min-h-11 forced-colors:aria-selected:outline-2"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <span className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex max-w-full min-w-0 grow flex-wrap gap-x-2.5">
          <span className="block truncate">{label}</span>
          {detail !== undefined && <span className="block truncate text-ink-muted">{detail}</span>}
        </span>
        {aside && (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-muted tabular-nums">
            {aside}
          </span>
        )}
      </span>
      <KeyHint keys={keys} />
    </div>
  )
}
