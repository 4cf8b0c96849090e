import type { ReactNode } from 'react'
import { useCapability } from '../../sync/react/use-sync.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { SingleKeysField } from '../../widgets/keys/single-keys-field.tsx'
import { shortcutMessages as messages } from './shortcut-messages.ts'

/** The list of keyboard shortcuts, and the switch for those of one key. */
export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const hasTemplates = useCapability('templates')
  const isOffered = ([pressed]: readonly [string, string]) => pressed !== 'G T' || hasTemplates
  return (
    <Dialog open onClose={onClose} title={messages.title} width="wide">
      {/* Not the switch: it is below, and a press of Space would turn the keys off. */}
      <div data-first tabIndex={-1} className="gap-x-10 outline-none sm:columns-2">
        {messages.groups.map(({ title, keys }) => (
          <section key={title} className="break-inside-avoid pt-2 pb-3">
            <h3 className="text-sm font-semibold text-ink-muted">{title}</h3>
            <dl className="mt-1 border-t border-line">
              {keys.filter(isOffered).map(([pressed, does]) => (
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
      </div>
      <div className="mt-3 border-t border-line">
        <SingleKeysField />
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
