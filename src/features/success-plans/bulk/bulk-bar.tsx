import { ChevronUp, X } from 'lucide-react'
import type { RefObject } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { mediaHook, useDesktop } from '../../../ui/platform/use-desktop.ts'
import type { ViewContext } from '../list/view.ts'
import { useChange } from './use-change.tsx'
import { useChoices } from './use-choices.ts'
import { bulkMessages as messages } from './messages.ts'

const useShortWindow = mediaHook('(max-height: 24.99rem)')

interface BulkBarProps {
  bar: RefObject<HTMLElement | null>
  /** The selected plans, those that the list shows first. */
  plans: readonly SuccessPlan[]
  /** How many of them the list does not show. */
  hidden: number
  /** Number of plans that can be selected beside them; 0 if all that are shown are selected. */
  shown: number
  context: ViewContext
  onSelectAll: () => void
  onClear: () => void
}

/** What can be done with the selected plans, above the lower edge of the window. */
export function BulkBar(props: BulkBarProps) {
  const { bar, plans, hidden, shown, context, onSelectAll, onClear } = props
  // The button of the toast is gone by then.
  const { choose, askEnd, dialog } = useChange(plans, () => bar.current?.focus())
  const choices = useChoices(plans, choose)
  const isDesktop = useDesktop()
  const isShort = useShortWindow()

  async function exportSelected() {
    try {
      const { savePlans } = await import('../list/plans-csv.ts')
      savePlans(plans, context)
      toast(messages.exported(plans.length))
    } catch {
      toast(messages.exportFailed)
    }
  }

  // Above the bar of phones. Where it would take half of the height it scrolls away.
  const bottom = isDesktop ? '1rem' : 'calc(4rem + var(--safe-bottom))'

  return (
    <div
      className={`pointer-events-none z-30 flex justify-center ${isShort ? 'mb-2' : 'fixed inset-x-4'}`}
      style={{ bottom }}
    >
      <section
        ref={bar}
        tabIndex={-1}
        aria-label={messages.bar}
        className="pointer-events-auto flex flex-wrap items-center gap-x-1 rounded-lg border border-line bg-raised p-1.5 shadow-float"
      >
        <p className="px-2.5 text-sm font-semibold tabular-nums">
          {plans.length === 0 ? messages.cleared : messages.selected(plans.length, hidden)}
        </p>
        {shown > 0 && (
          <Button variant="quiet" className="px-2.5!" onClick={onSelectAll}>
            {messages.selectAll(shown)}
          </Button>
        )}
        {plans.length > 0 && (
          <>
            {(['owner', 'status', 'health'] as const).map((field) => (
              <Menu
                key={field}
                label={messages[field]}
                items={choices[field]}
                className={`${buttonClass('quiet')} px-2.5!`}
              >
                {messages[field]}
                <ChevronUp aria-hidden />
              </Menu>
            ))}
            <Button variant="quiet" className="px-2.5!" onClick={askEnd}>
              {messages.endDate}
            </Button>
            <Button variant="quiet" className="px-2.5!" onClick={() => void exportSelected()}>
              {messages.exportCsv}
            </Button>
          </>
        )}
        <Button
          icon
          variant="quiet"
          aria-label={messages.clear}
          title={messages.clear}
          onClick={onClear}
        >
          <X aria-hidden />
        </Button>
        {dialog}
      </section>
    </div>
  )
}
