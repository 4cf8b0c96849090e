import { useState, type ReactNode } from 'react'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { SwitchField } from '../../ui/form/switch-field.tsx'
import { shortcutMessages as messages } from './shortcut-messages.ts'

const STORAGE_KEY = 'help_key'
const OFF = 'off'

/**
 * Whether `?` alone opens the list of shortcuts. Speech input users can turn it off (WCAG 2.2, 2.1.4).
 */
export function isHelpKeyOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== OFF
  } catch {
    return true
  }
}

function setHelpKey(on: boolean) {
  try {
    if (on) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, OFF)
  } catch {
    // Storage is blocked: the shortcut stays on.
  }
}

/** The list of keyboard shortcuts. */
export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(isHelpKeyOn)
  return (
    <Dialog open onClose={onClose} title={messages.title}>
      {messages.groups.map(({ title, keys }) => (
        <section key={title} className="mt-5 first:mt-2">
          <h3 className="text-sm font-semibold text-ink-muted">{title}</h3>
          <dl className="mt-1 border-t border-line">
            {keys.map(([pressed, does]) => (
              <div
                key={does}
                className="flex items-baseline justify-between gap-6 border-b border-line py-2 text-sm"
              >
                <dt className="order-last shrink-0">
                  <Keys>{pressed}</Keys>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div className="mt-5 border-t border-line">
        <SwitchField
          label={messages.helpKey}
          hint={messages.helpKeyHint}
          checked={on}
          onChange={(wanted) => {
            setHelpKey(wanted)
            setOn(wanted)
          }}
        />
      </div>
    </Dialog>
  )
}

function Keys({ children }: { children: ReactNode }) {
  return (
    <kbd className="rounded-sm border border-line bg-sunken px-1.5 py-0.5 font-sans text-sm tabular-nums">
      {children}
    </kbd>
  )
}
