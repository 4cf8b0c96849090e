import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { ONBOARDING_STEPS, type Onboarding } from '../../../contract/schemas/settings.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { onboardingMessages as messages } from './messages.ts'

interface ReadyProps {
  onboarding: Onboarding
  onOpen: () => void
}

/** The last step, shown even if others were skipped. */
export function Ready({ onboarding: { steps }, onOpen }: ReadyProps) {
  return (
    <>
      <PageHeading title={messages.readyTitle} />
      <p className="mt-1 mb-5 text-ink-muted">{messages.ready}</p>
      <ul className="mb-7 border-t border-line">
        {ONBOARDING_STEPS.map((step) => (
          <li key={step} className="border-b border-line">
            <Link
              to={`?step=${step}`}
              replace
              className="flex min-h-11 items-center gap-3 text-sm font-semibold hover:text-accent"
            >
              <span
                aria-hidden
                className={`grid h-4 w-6 shrink-0 place-items-center rounded-full border ${steps[step] ? 'border-transparent bg-accent text-accent-ink' : 'border-dashed border-edge'}`}
              >
                {steps[step] && <Check className="size-3" />}
              </span>
              {messages.steps[step].name}
              <span className="ms-auto font-normal text-ink-faint">
                {steps[step] ? messages.done : messages.notDone}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Button variant="primary" className="min-h-11" onClick={onOpen}>
        {messages.open}
      </Button>
    </>
  )
}
