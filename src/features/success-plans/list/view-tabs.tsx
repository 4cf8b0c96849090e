import { memo } from 'react'
import { Link } from 'react-router'
import { VIEWS, writeSelection, type Selection, type View } from './view.ts'
import { planMessages } from '../messages.ts'

interface ViewTabsProps {
  /** The current selection; each view link keeps the other filters. */
  selection: Selection
  counts: Partial<Record<View, number>>
  /** Changes the selection in the address. */
  onChange: (change: { view: View }) => void
}

/** The views as links, each with its number of plans. */
export const ViewTabs = memo(function ViewTabs(props: ViewTabsProps) {
  const { selection, counts, onChange } = props
  return (
    <nav
      aria-label={planMessages.viewsLabel}
      className="-mx-4 flex gap-1 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:px-0"
    >
      {VIEWS.filter((view) => counts[view] !== undefined).map((view) => (
        <Link
          key={view}
          to={{ search: writeSelection({ ...selection, view }).toString() }}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
            // The link may lack a filter that was chosen right before.
            event.preventDefault()
            onChange({ view })
          }}
          aria-current={selection.view === view ? 'page' : undefined}
          className="inline-flex min-h-9 items-center gap-1.5 rounded-full px-3 text-sm font-semibold whitespace-nowrap text-ink-muted hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-ink coarse:min-h-11"
        >
          {planMessages.views[view]}
          <span className="font-normal text-ink-faint tabular-nums [[aria-current]>&]:text-ink-muted">
            {counts[view] !== undefined && planMessages.number(counts[view])}
          </span>
        </Link>
      ))}
    </nav>
  )
})
