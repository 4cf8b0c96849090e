import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { Button } from '../../button.tsx'
import { mediaHook, useDesktop } from '../../platform/use-desktop.ts'
import { selectionMessages as messages } from './messages.ts'

const useShortWindow = mediaHook('(max-height: 24.99rem)')

interface BulkBarProps {
  bar: RefObject<HTMLElement | null>
  label: string
  selected: number
  /** How many of them the list does not show. */
  hidden: number
  /** Number of rows that can be selected beside them; 0 if all that are shown are selected. */
  shown: number
  onSelectAll: () => void
  onClear: () => void
  /** What can be done with the selected rows. */
  children: ReactNode
}

/** What can be done with the selected rows, above the lower edge of the window. */
export function BulkBar(props: BulkBarProps) {
  const { bar, label, selected, hidden, shown, onSelectAll, onClear, children } = props
  const isDesktop = useDesktop()
  const isShort = useShortWindow()
  // Above the bar of phones. Where it would take half of the height it scrolls away.
  const bottom = isDesktop ? '1rem' : 'calc(4rem + var(--safe-bottom))'
  const clear = (
    <Button
      icon
      variant="quiet"
      aria-label={messages.clear}
      title={messages.clear}
      onClick={onClear}
    >
      <X aria-hidden />
    </Button>
  )
  return (
    <div
      className={`pointer-events-none z-30 flex justify-center ${isShort ? 'mb-2' : 'fixed inset-x-4'}`}
      style={{ bottom }}
    >
      <section
        ref={bar}
        tabIndex={-1}
        aria-label={label}
        className="pointer-events-auto flex flex-wrap items-center gap-x-1 rounded-lg border border-line bg-raised p-1.5 shadow-float"
      >
        {/* Not at the end, where its place would change with the number of lines. */}
        {!isDesktop && clear}
        <p className="px-2.5 text-sm font-semibold tabular-nums">
          {selected === 0 ? messages.cleared : messages.selected(selected, hidden)}
        </p>
        {shown > 0 && (
          <Button variant="quiet" className="px-2.5!" onClick={onSelectAll}>
            {messages.selectAll(shown)}
          </Button>
        )}
        {children}
        {isDesktop && clear}
      </section>
    </div>
  )
}
