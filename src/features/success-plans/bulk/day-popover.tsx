import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { positionPopover } from '../../../ui/overlay/position-popover.ts'
import { WeekendHint } from '../../../widgets/editing/weekend-hint.tsx'
import { manyMessages } from '../../../widgets/editing/many/messages.ts'
import { bulkMessages as messages } from './messages.ts'

interface DayPopoverProps {
  plan: SuccessPlan
  /** The element that it is placed beside, and that has the focus afterwards. */
  anchor: HTMLElement
  onSave: (day: string | null) => void
  onClose: () => void
}

/** The end date of a plan as a field beside its cell; open while it is rendered. */
export function DayPopover({ plan, anchor, onSave, onClose }: DayPopoverProps) {
  const panel = useRef<HTMLDialogElement>(null)
  const [day, setDay] = useState(plan.end_date ?? '')
  const [error, setError] = useState<string>()
  useEffect(() => {
    // The focus returns to what had it.
    anchor.focus({ preventScroll: true })
    panel.current?.showPopover()
  }, [anchor])

  function save(value: string | null) {
    panel.current?.hidePopover()
    if (value !== plan.end_date) onSave(value)
  }
  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (day === '') return setError(manyMessages.badDay)
    if (plan.start_date && day < plan.start_date)
      return setError(messages.dayTooEarly(plan.start_date))
    return save(day)
  }

  return (
    <dialog
      ref={panel}
      popover="auto"
      aria-label={messages.endOf(plan.title, plan.end_date)}
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
            label={manyMessages.fields.end}
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
          {plan.end_date !== null && (
            <Button variant="quiet" onClick={() => save(null)}>
              {manyMessages.endNone}
            </Button>
          )}
        </div>
      </form>
    </dialog>
  )
}
