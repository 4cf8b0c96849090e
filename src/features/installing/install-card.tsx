import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { install, useInstalling } from '../../ui/install.ts'
import { countPlan, dismissCard } from './card-memory.ts'
import { InstallSheet } from './install-sheet.tsx'
import { installWords as words } from './words.ts'

/** One offer to install, beside the second plan that is looked at; never again once it was dismissed. */
export function InstallCard({ plan_id }: { plan_id: string }) {
  const installing = useInstalling()
  const [isDue, setIsDue] = useState(() => countPlan(plan_id))
  const [open, setOpen] = useState(false)

  function dismiss() {
    dismissCard()
    setIsDue(false)
  }

  if (installing === 'installed' || !isDue) return null
  return (
    <section
      aria-labelledby="install"
      className="mt-8 rounded-lg border border-line bg-raised p-4 text-sm"
    >
      <h2 id="install" className="text-sm font-semibold">
        {words.cardTitle}
      </h2>
      <p className="mt-1 text-pretty text-ink-muted">{words.card}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {installing === 'offered' ? (
          <Button onClick={() => void install().then(dismiss)}>{words.install}</Button>
        ) : (
          <Button onClick={() => setOpen(true)}>{words.how}</Button>
        )}
        <Button variant="quiet" onClick={dismiss}>
          {words.dismiss}
        </Button>
      </div>
      {open && <InstallSheet onClose={() => setOpen(false)} />}
    </section>
  )
}
