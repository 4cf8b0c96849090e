import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { install, useInstallState } from '../../ui/platform/install.ts'
import { countPlan, dismissCard } from './card-memory.ts'
import { InstallSheet } from './install-sheet.tsx'
import { installMessages as messages } from './messages.ts'

/** Offers installation next to the second plan that is opened; never again once dismissed. */
export function InstallCard({ plan_id }: { plan_id: string }) {
  const installing = useInstallState()
  const [isDue, setIsDue] = useState(() => countPlan(plan_id))
  const [open, setOpen] = useState(false)

  function dismiss() {
    // The button disappears with the card; the page heading is the nearest focusable element that stays.
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    dismissCard()
    setIsDue(false)
  }

  if (installing === 'installed' || !isDue) return null
  return (
    <section
      aria-labelledby="install"
      className="mt-8 rounded-lg border border-line bg-raised p-4 text-sm print:hidden"
    >
      <h2 id="install" className="text-sm font-semibold">
        {messages.cardTitle}
      </h2>
      <p className="mt-1 text-pretty text-ink-muted">{messages.card}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {installing === 'offered' ? (
          <Button onClick={() => void install().then(dismiss)}>{messages.install}</Button>
        ) : (
          <Button onClick={() => setOpen(true)}>{messages.how}</Button>
        )}
        <Button variant="quiet" onClick={dismiss}>
          {messages.dismiss}
        </Button>
      </div>
      {open && <InstallSheet onClose={() => setOpen(false)} />}
    </section>
  )
}
