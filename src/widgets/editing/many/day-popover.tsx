import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { positionPopover } from '../../../ui/overlay/position-popover.ts'
import { WeekendHint } from '../weekend-hint.tsx'
import { manyMessages as messages, type NamedRecord } from './messages.ts'

interface DayPopoverProps {
  record: Pick<NamedRecord, 'start_date' | 'end_date'>
  /** Accessible name. */
  label: string
  /** The element that it is placed beside, and that has the focus afterwards. */
  anchor: HTMLElement
  onSave: (day: string | null) => void
  onClose: () => void
}

/** The end date of a record as a field beside its cell; open while it is rendered. */
export function DayPopover({ record, label, anchor, onSave, onClose }: DayPopoverProps) {
  const { start_date, end_date = null } = record
  const panel = useRef<HTMLDialogElement>(null)
  const [day, setDay] = useState(end_date ?? '')
  const [error, setError] = useState<string>()
  useEffect(() => {
    // The focus returns to what had it.
    anchor.focus({ preventScroll: true })
    panel.current?.showPopover()
  }, [anchor])

  function save(value: string | null) {
    panel.current?.hidePopover()
    if (value !== end_date) onSave(value)
  }
  /** The error is read out with the focus. */
  function fail(text: string) {
    setError(text)
    panel.current?.querySelector('input')?.focus()
  }
  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (day === '') return fail(messages.badDay)
    if (start_date && day < start_date) return fail(messages.dayTooEarly(start_date))
    return save(day)
  }

  return (
    <dialog
      ref={panel}
      popover="auto"
      aria-label={label}
      onBeforeToggle={({ newState }) => {
        if (newState === 'open' && panel.current) positionPopover(anchor, panel.current)
      }}
      onToggle={({ newState }) => {
        if (newState === 'open') panel.current?.querySelector('input')?.focus()
        else onClose()
      }}
      className="m-0 w-max animate-fade overflow-y-auto rounded-lg bg-raised p-4 text-ink shadow-float forced-colors:border"
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        <div>
          <TextField
            type="date"
            label={messages.fields.end}
            error={error}
            value={day}
            onChange={(event) => {
              setDay(event.target.value)
              setError(undefined)
            }}
          />
          <WeekendHint day={day} onMove={setDay} />
        </div>
        <div className="flex gap-2">
          <Button type="submit" variant="primary">
            {messages.save}
          </Button>
          {end_date !== null && (
            <Button variant="quiet" onClick={() => save(null)}>
              {messages.endNone}
            </Button>
          )}
        </div>
      </form>
    </dialog>
  )
}
