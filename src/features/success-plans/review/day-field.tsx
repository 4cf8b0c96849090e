import { useEffect, useRef, useState } from 'react'
import { TextField } from '../../../ui/form/field.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { WeekendHint } from '../../../widgets/editing/weekend-hint.tsx'
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

/**
 * A date that is saved on Enter and when the field is left, not while it is typed. For a day on a weekend the
 * next working day is offered.
 */
export function DayField({ label, labelHidden = false, value, min, onMove }: DayFieldProps) {
  const [typed, setTyped] = useState<string>()
  const [error, setError] = useState<string>()

  const field = useRef<HTMLDivElement>(null)
  const notSaved = useRef<string>(undefined)
  // Left by Back or a link: what was typed is gone with the field.
  useEffect(
    () => () => {
      if (notSaved.current !== undefined) toast(notSaved.current)
    },
    [],
  )

  /** The plan stays while there is one: see `leaveField`. */
  function showProblem(problem?: string) {
    field.current?.querySelector('input')?.setCustomValidity(problem ?? '')
    notSaved.current = problem && messages.dayNotSaved(label, problem)
    setError(problem)
  }

  function save(input: HTMLInputElement | null) {
    if (!input) return
    // An incomplete date has no value, as a cleared one.
    const problem = input.validity.badInput
      ? messages.badDay
      : min && typed && typed < min
        ? messages.dayTooEarly(min)
        : undefined
    showProblem(problem)
    if (problem !== undefined || typed === undefined) return
    setTyped(undefined)
    const day = typed === '' ? null : typed
    if (day !== value) onMove(day)
  }

  return (
    <div
      ref={field}
      data-day
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) save(currentTarget.querySelector('input'))
      }}
    >
      <TextField
        type="date"
        label={label}
        labelHidden={labelHidden}
        error={error}
        value={typed ?? value ?? ''}
        onChange={(event) => {
          setTyped(event.target.value)
          showProblem()
        }}
        onKeyDown={(event) => event.key === 'Enter' && save(event.currentTarget)}
      />
      <WeekendHint
        day={typed ?? value ?? ''}
        onMove={(day) => {
          setTyped(undefined)
          showProblem()
          onMove(day)
        }}
      />
    </div>
  )
}
