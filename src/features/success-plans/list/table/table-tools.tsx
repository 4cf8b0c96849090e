import { Bookmark } from 'lucide-react'
import { buttonClass } from '../../../../ui/button.tsx'
import { Panel } from '../../../../ui/overlay/panel.tsx'
import { PlanFilters, type PlanFiltersProps } from '../plan-filters.tsx'
import { DisplayOptions } from './display-options.tsx'
import { useSavedViews } from './saved-views.ts'
import { ViewsPanel } from './views-panel.tsx'
import { toolMessages as messages } from './messages.ts'

/** Filters, display options and saved views of the table. */
export function TableTools(props: PlanFiltersProps) {
  const { selection, onChange } = props
  // Read with the list, so that they are on the device without a network.
  useSavedViews()
  return (
    <PlanFilters
      {...props}
      tools={
        <>
          <DisplayOptions selection={selection} onChange={onChange} />
          <Panel
            label={messages.views}
            className={`${buttonClass('quiet')} px-2.5!`}
            button={
              <>
                <Bookmark aria-hidden />
                {messages.viewsShort}
              </>
            }
          >
            <ViewsPanel selection={selection} />
          </Panel>
        </>
      }
    />
  )
}
