import { useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { chooseConsent, type Consent } from './consent.ts'
import { telemetryMessages as messages } from './messages.ts'

/**
 * Asks once for consent to analytics. It is part of the page flow, so it covers nothing; both answers
 * look alike, and nothing waits for one.
 */
export function ConsentBanner() {
  const id = useId()

  function choose(choice: Consent) {
    chooseConsent(choice)
    // The focused button is removed.
    document.querySelector('main')?.focus({ preventScroll: true })
    toast(messages.chosen)
  }

  return (
    <section
      aria-labelledby={id}
      className="border-b border-line bg-raised pt-(--safe-top) text-sm print:hidden"
    >
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3 sm:px-6">
        <div className="min-w-0 flex-1 basis-72">
          <p id={id} className="font-semibold">
            {messages.title}
          </p>
          <p className="text-pretty text-ink-muted">{messages.question}</p>
        </div>
        <div className="grid grow grid-cols-2 gap-2 sm:grow-0">
          <Button onClick={() => choose('no')}>{messages.decline}</Button>
          <Button onClick={() => choose('yes')}>{messages.accept}</Button>
        </div>
      </div>
    </section>
  )
}
