import { Settings2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '../../button.tsx'
import { Panel } from '../../overlay/panel.tsx'
import { density, DENSITIES } from '../density.ts'
import { listMessages as messages } from '../messages.ts'

/** A button that opens how a table is shown; `children` are choices beside the row height. */
export function DisplayPanel({ children }: { children?: ReactNode }) {
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
      <div className="grid gap-4">
        <RowHeight />
        {children}
      </div>
    </Panel>
  )
}

/** A radio button or a checkbox with its label. */
export const DISPLAY_CHOICE = 'flex min-h-8 items-center gap-2.5 rounded-sm coarse:min-h-11'

function RowHeight() {
  const chosen = density.useValue()
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">{messages.density}</legend>
      {DENSITIES.map((one) => (
        <label key={one} className={DISPLAY_CHOICE}>
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
