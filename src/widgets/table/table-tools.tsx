import { Bookmark } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/overlay/panel.tsx'
import { DisplayOptions, type DisplayOptionsProps } from './display-options.tsx'
import { ViewsPanel, type ViewsPanelProps } from './views-panel.tsx'
import { tableMessages as messages } from './messages.ts'

/** Display options and saved views of a table. */
export function TableTools(props: DisplayOptionsProps & ViewsPanelProps) {
  return (
    <>
      <DisplayOptions {...props} />
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
        <ViewsPanel {...props} />
      </Panel>
    </>
  )
}
