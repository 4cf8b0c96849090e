import { OUTCOMES } from '../../../../contract/values.ts'
import { transitionMessages as messages } from '../plan-messages.ts'
import type { Outcome } from './note-draft.ts'

interface OutcomeChoiceProps {
  value: Outcome
  onChange: (outcome: Outcome) => void
}

/** Asks for the outcome of a plan that is being completed. */
export function OutcomeChoice({ value, onChange }: OutcomeChoiceProps) {
  return (
    <fieldset>
      <legend className="text-sm font-semibold">{messages.outcome}</legend>
      <p className="text-sm text-ink-muted">{messages.outcomeHint}</p>
      {OUTCOMES.map((one) => (
        <label key={one} className="flex min-h-9 items-center gap-2.5 text-sm coarse:min-h-11">
          <input
            type="radio"
            name="outcome"
            className="size-4"
            checked={value === one}
            onChange={() => onChange(one)}
          />
          {messages.outcomes[one]}
        </label>
      ))}
    </fieldset>
  )
}
