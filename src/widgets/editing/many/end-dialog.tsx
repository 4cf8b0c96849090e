import { useState } from 'react'
import { isWeekend } from '../../../../contract/schemas/days.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/form/field.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { errorMessage } from '../error-message.ts'
import { WeekendHint } from '../weekend-hint.tsx'
import { LeftOutList } from './left-out.tsx'
import { endAfter, splitRecords, type ChangeableRecord, type EndChange } from './record-change.ts'
import { manyMessages as messages, type CountOf } from './messages.ts'

const HOW = ['day', 'move', 'none'] as const
const HOW_LABELS = { day: messages.endOnDay, move: messages.endMoved, none: messages.endNone }
const UNIT_DAYS = { days: 1, weeks: 7 }
const UNITS = ['days', 'weeks'] as const
const DIRECTIONS = ['later', 'earlier'] as const

interface EndDialogProps {
  records: readonly ChangeableRecord[]
  countOf: CountOf
  save: (change: EndChange) => Promise<void>
  onClose: () => void
}

/** Sets the end date of several records to one day, moves each, or removes it. */
export function EndDialog({ records, countOf, save, onClose }: EndDialogProps) {
  const [how, setHow] = useState<(typeof HOW)[number]>('day')
  const [day, setDay] = useState('')
  const [amount, setAmount] = useState('2')
  const [unit, setUnit] = useState<(typeof UNITS)[number]>('weeks')
  const [direction, setDirection] = useState<(typeof DIRECTIONS)[number]>('later')
  const [skipsWeekends, setSkipsWeekends] = useState(false)
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const steps = /^\d{1,3}$/.test(amount) ? Number(amount) : 0
  const sign = direction === 'later' ? 1 : -1
  const change: EndChange | undefined =
    how === 'move'
      ? steps > 0
        ? { kind: 'move', days: sign * steps * UNIT_DAYS[unit], skipsWeekends }
        : undefined
      : how === 'none' || day !== ''
        ? { kind: 'end', end_date: how === 'none' ? null : day }
        : undefined
  const split = change && splitRecords(records, change)
  // Counted as if none moved on, so that the choice stays.
  const onWeekend =
    change?.kind === 'move'
      ? records.filter((record) => {
          const end = endAfter(record, { ...change, skipsWeekends: false })
          return end !== null && isWeekend(end)
        }).length
      : 0

  async function submit() {
    if (!change) return setError(how === 'day' ? messages.badDay : messages.badMove)
    try {
      await save(change)
      onClose()
    } catch (problem) {
      setFailure(errorMessage(problem))
    }
    return undefined
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={messages.endTitle(countOf(records.length))}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{messages.cancel}</Button>
          <Button type="submit" variant="primary">
            {messages.change(countOf(split?.changed.length ?? records.length))}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <fieldset className="text-sm">
          <legend className="sr-only">{messages.endHow}</legend>
          {HOW.map((one) => (
            <label key={one} className="flex min-h-9 items-center gap-2.5 coarse:min-h-11">
              <input
                type="radio"
                name="how"
                className="size-4"
                checked={how === one}
                onChange={() => {
                  setHow(one)
                  setError(undefined)
                }}
              />
              {HOW_LABELS[one]}
            </label>
          ))}
        </fieldset>
        {how === 'day' && (
          <div>
            <TextField
              type="date"
              label={messages.day}
              error={error}
              value={day}
              onChange={(event) => {
                setDay(event.target.value)
                setError(undefined)
              }}
            />
            <WeekendHint day={day} onMove={setDay} />
          </div>
        )}
        {how === 'move' && (
          <div className="grid grid-cols-3 items-start gap-2">
            <TextField
              label={messages.moveBy}
              inputMode="numeric"
              error={error}
              value={amount}
              onChange={(event) => {
                setAmount(event.target.value.trim())
                setError(undefined)
              }}
            />
            <SelectField
              label={messages.unit}
              value={unit}
              onChange={(event) => setUnit(event.target.value === 'days' ? 'days' : 'weeks')}
            >
              {UNITS.map((one) => (
                <option key={one} value={one}>
                  {messages.units[one]}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={messages.direction}
              value={direction}
              onChange={(event) =>
                setDirection(event.target.value === 'later' ? 'later' : 'earlier')
              }
            >
              {DIRECTIONS.map((one) => (
                <option key={one} value={one}>
                  {messages.directions[one]}
                </option>
              ))}
            </SelectField>
          </div>
        )}
        {onWeekend > 0 && (
          <label className="flex min-h-9 items-center gap-2.5 text-sm coarse:min-h-11">
            <input
              type="checkbox"
              className="size-4 shrink-0"
              checked={skipsWeekends}
              onChange={(event) => setSkipsWeekends(event.target.checked)}
            />
            {messages.skipWeekends(onWeekend)}
          </label>
        )}
        {change && <LeftOutList records={split?.leftOut ?? []} change={change} countOf={countOf} />}
        {failure && <p className="text-sm text-danger-ink">{failure}</p>}
      </div>
    </Dialog>
  )
}
