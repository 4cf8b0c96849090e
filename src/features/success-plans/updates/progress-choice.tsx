import { RotateCcw } from 'lucide-react'
import { useId } from 'react'
import { Button } from '../../../ui/button.tsx'
import { updateMessages as messages } from '../plan-messages.ts'

const STEPS = [5, 10, 25]

interface ProgressChoiceProps {
  /** The plan's current progress. */
  from: number
  /** The progress the update sets; undefined leaves it unchanged. */
  value: number | undefined
  onChange: (value: number | undefined) => void
}

/** A slider with buttons for quick steps. Unchanged until the user moves it. */
export function ProgressChoice({ from, value, onChange }: ProgressChoiceProps) {
  const id = useId()
  const shown = value ?? from
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="text-sm font-semibold">
          {messages.progress}
        </label>
        <output htmlFor={id} className="text-sm text-ink-muted tabular-nums">
          {value === undefined ? messages.keepProgress(from) : messages.progressChange(from, value)}
        </output>
      </div>
      <div className="flex items-center gap-1">
        <input
          id={id}
          type="range"
          min={0}
          max={100}
          step={1}
          value={shown}
          aria-valuetext={
            value === undefined ? messages.keepProgress(from) : messages.progressChange(from, value)
          }
          onChange={(event) => onChange(Number(event.target.value))}
          // The browser's own track keeps its light colours in the dark.
          style={{
            background: `linear-gradient(to right, var(--color-accent) ${shown}%, var(--color-line) 0) center / 100% 0.375rem no-repeat`,
          }}
          className="h-10 min-w-20 grow cursor-pointer appearance-none forced-colors:appearance-auto coarse:h-11"
        />
        {STEPS.map((step) => (
          <Button
            key={step}
            variant="quiet"
            className="px-2! tabular-nums"
            aria-label={messages.moreSpoken(step)}
            onClick={() => onChange(Math.min(100, shown + step))}
          >
            {messages.more(step)}
          </Button>
        ))}
        {value !== undefined && (
          <Button
            icon
            variant="quiet"
            aria-label={messages.undoProgress}
            title={messages.undoProgress}
            onClick={() => onChange(undefined)}
          >
            <RotateCcw aria-hidden />
          </Button>
        )}
      </div>
    </div>
  )
}
