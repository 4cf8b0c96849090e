import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { ONBOARDING_STEPS, type Onboarding } from '../../../contract/schemas/settings.ts'
import { onboardingMessages as messages } from './messages.ts'

export type Step = (typeof ONBOARDING_STEPS)[number]

interface StepListProps {
  steps: Onboarding['steps']
  current: Step | undefined
}

/** The onboarding steps as a row of stones: done, current, ahead. Each links to its step. */
export function StepList({ steps, current }: StepListProps) {
  return (
    <nav aria-label={messages.stepsLabel}>
      <ol className="-mx-1.5 mb-6 flex">
        {ONBOARDING_STEPS.map((step, at) => (
          <li key={step} className="flex-1">
            <Link
              to={`?step=${step}`}
              replace
              aria-current={step === current ? 'step' : undefined}
              aria-label={messages.stepName(at + 1, messages.steps[step].name, steps[step])}
              title={messages.steps[step].name}
              className="group grid min-h-9 content-start justify-items-center rounded-md coarse:min-h-11"
            >
              <span
                className={`grid h-6 w-[calc(100%-0.5rem)] place-items-center rounded-full border text-xs font-semibold tabular-nums ${steps[step] ? 'border-transparent bg-accent text-accent-ink' : 'border-dashed border-edge text-ink-muted'} outline-offset-2 outline-accent group-aria-[current]:outline-2`}
              >
                {steps[step] ? <Check aria-hidden className="size-3.5" /> : at + 1}
              </span>{' '}
              <span className="mt-1 text-center text-xs leading-4 text-ink-muted group-aria-[current]:font-semibold group-aria-[current]:text-ink max-sm:hidden">
                {messages.steps[step].name}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
