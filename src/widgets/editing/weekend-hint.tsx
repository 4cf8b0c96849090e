import { isWeekend, nextWorkday } from '../../../contract/schemas/days.ts'
import { useToday } from '../../data/organisations/use-today.ts'
import { weekdayOf } from '../../ui/text/dates.ts'
import { editingMessages as messages } from './messages.ts'

interface WeekendHintProps {
  /** The day in the field, or an empty text. */
  day: string
  onMove: (day: string) => void
}

/** Says that a due date is on a weekend, and offers the next working day unless that has passed, too. */
export function WeekendHint({ day, onMove }: WeekendHintProps) {
  const next = nextWorkday(day)
  const today = useToday()
  return (
    <div aria-live="polite" className="text-sm text-ink-muted">
      {isWeekend(day) && next >= today && (
        <p className="mt-1.5 flex flex-wrap items-center gap-x-2">
          {messages.weekend(weekdayOf(day))}
          <button
            type="button"
            className="min-h-6 font-semibold text-accent underline-offset-4 hover:underline coarse:min-h-11"
            onClick={() => onMove(next)}
          >
            {messages.workday(next)}
          </button>
        </p>
      )}
    </div>
  )
}
