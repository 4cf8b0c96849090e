import { Bookmark, ListFilter, Settings2 } from 'lucide-react'
import { useState } from 'react'
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import { buttonClass } from '../../../../ui/button.tsx'
import { Panel } from '../../../../ui/overlay/panel.tsx'
import { FILTERS, type Selection } from '../view.ts'
import { DisplayOptions } from './display-options.tsx'
import { FilterRow } from './filter-row.tsx'
import { ViewsPanel } from './views-panel.tsx'
import { toolMessages as messages } from './messages.ts'

interface TableToolsProps {
  selection: Selection
  /** All plans, filtered or not. */
  all: readonly SuccessPlan[]
  onChange: (change: Partial<Selection>) => void
}

const BUTTON = `${buttonClass('quiet')} px-2.5!`

/** Filters, display options and saved views of the table. */
export function TableTools({ selection, all, onChange }: TableToolsProps) {
  const active = FILTERS.filter((name) => selection[name] !== '').length
  const [open, setOpen] = useState(active > 0)
  return (
    <>
      <div className="flex items-center">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={BUTTON}
        >
          <ListFilter aria-hidden />
          {messages.filter(active)}
        </button>
        <Panel
          label={messages.display}
          className={BUTTON}
          button={
            <>
              <Settings2 aria-hidden />
              {messages.display}
            </>
          }
        >
          <DisplayOptions selection={selection} onChange={onChange} />
        </Panel>
        <Panel
          label={messages.views}
          className={BUTTON}
          button={
            <>
              <Bookmark aria-hidden />
              {messages.viewsShort}
            </>
          }
        >
          <ViewsPanel selection={selection} />
        </Panel>
      </div>
      {open && <FilterRow selection={selection} all={all} onChange={onChange} />}
    </>
  )
}
