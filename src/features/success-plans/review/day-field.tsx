import { useState } from 'react'
import { TextField } from '../../../ui/form/field.tsx'
import { reviewMessages as messages } from './messages.ts'

interface DayFieldProps {
  label: string
  labelHidden?: boolean
  /** A day, or null without one. */
  value: string | null
  /** The first day allowed. */
  min?: string | null
  onMove: (day: string | null) => void
}

/** A date that is saved on Enter and when the field is left, not while it is typed. */
export function DayField({ label, labelHidden = false, value, min, onMove }: DayFieldProps) {
  const [typed, setTyped] = useState<string>()
  const [error, setError] = useState<string>()

  function save(input: HTMLInputElement) {
    if (typed === undefined) return
    // An incomplete date has no value, as a cleared one.
    if (input.validity.badInput) return setError(messages.badDay)
    if (min && typed !== '' && typed < min) return setError(messages.dayTooEarly(min))
    setTyped(undefined)
    const day = typed === '' ? null : typed
    if (day !== value) onMove(day)
    return undefined
  }

  return (
    <TextField
      type="date"
      label={label}
      labelHidden={labelHidden}
      error={error}
      value={typed ?? value ?? ''}
      onChange={(event) => {
        setTyped(event.target.value)
        setError(undefined)
      }}
      onBlur={(event) => save(event.currentTarget)}
      onKeyDown={(event) => event.key === 'Enter' && save(event.currentTarget)}
    />
  )
}
