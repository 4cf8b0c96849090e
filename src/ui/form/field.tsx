import { ChevronDown, CircleAlert, Eye, EyeOff } from 'lucide-react'
import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import { uiMessages } from '../messages.ts'
import { BOX, LINE } from './box.ts'

interface Wording {
  label: string
  /** Hides the label visually; only where an icon and the position make it obvious. */
  labelHidden?: boolean
  hint?: ReactNode
  error?: string | undefined
  /** Marks optional fields; required ones are not marked. */
  optional?: boolean
  /** Not offered: nothing is shown. */
  hidden?: boolean | undefined
}

interface ControlProps {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Label, hint and error around any control that the fields below do not cover. */
function Field(
  props: Wording & { id?: string | undefined; children: (wiring: ControlProps) => ReactNode },
) {
  const own = useId()
  const id = props.id ?? own
  const { error, hint } = props
  if (props.hidden) return null
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label
        htmlFor={id}
        className={props.labelHidden ? 'sr-only' : 'text-sm font-semibold text-ink'}
      >
        {props.label}
        {props.optional && (
          <span className="font-normal text-ink-faint"> ({uiMessages.optional})</span>
        )}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="-mt-1 text-sm text-ink-muted">
          {hint}
        </p>
      )}
      {props.children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-sm text-danger-ink">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
    </div>
  )
}

/**
 * A single-line text field. `leading` is an icon at its start; a password gets a button that reveals
 * it.
 */
export function TextField(props: Wording & ComponentProps<'input'> & { leading?: ReactNode }) {
  const { label, labelHidden, hint, error, optional, leading, className = '', ...input } = props
  const [shown, setShown] = useState(false)
  const secret = input.type === 'password'
  const labelling = {
    label,
    hint,
    error,
    id: input.id,
    hidden: input.hidden,
    ...flags(labelHidden, optional),
  }
  return (
    <Field {...labelling}>
      {(wiring) => (
        <span className="relative flex">
          {leading && (
            <span
              aria-hidden
              className="pointer-events-none absolute inset-y-0 start-3 flex items-center text-ink-faint [&_svg]:size-4"
            >
              {leading}
            </span>
          )}
          <input
            // Addresses and numbers are from left to right in all languages.
            dir={/^(text|search)$/.test(input.type ?? 'text') ? 'auto' : undefined}
            {...input}
            {...wiring}
            type={secret && shown ? 'text' : input.type}
            className={`${LINE} read-only:bg-sunken ${leading ? 'ps-9' : ''} ${secret ? 'pe-11' : ''} ${className}`}
          />
          {secret && (
            <button
              type="button"
              aria-label={shown ? uiMessages.hidePassword : uiMessages.showPassword}
              onClick={() => setShown(!shown)}
              className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-md text-ink-faint hover:text-ink [&_svg]:size-4"
            >
              {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            </button>
          )}
        </span>
      )}
    </Field>
  )
}

/** A multi-line text field that grows with its content. */
export function TextAreaField(props: Wording & ComponentProps<'textarea'>) {
  const { label, labelHidden, hint, error, optional, className = '', ...textarea } = props
  const labelling = {
    label,
    hint,
    error,
    id: textarea.id,
    hidden: textarea.hidden,
    ...flags(labelHidden, optional),
  }
  return (
    <Field {...labelling}>
      {(wiring) => (
        <textarea
          rows={3}
          dir="auto"
          {...textarea}
          {...wiring}
          className={`${BOX} read-only:bg-sunken field-sizing-content max-h-80 min-h-20 px-3 py-2 leading-6 ${className}`}
        />
      )}
    </Field>
  )
}

/** A native select for short lists. Children are `<option>`s. */
export function SelectField(props: Wording & ComponentProps<'select'>) {
  const { label, labelHidden, hint, error, optional, className = '', ...select } = props
  const labelling = {
    label,
    hint,
    error,
    id: select.id,
    hidden: select.hidden,
    ...flags(labelHidden, optional),
  }
  return (
    <Field {...labelling}>
      {(wiring) => (
        <span className="relative flex">
          <select
            {...select}
            {...wiring}
            className={`${LINE} appearance-none pe-9 text-ellipsis ${className}`}
          />
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute inset-y-0 end-3 my-auto size-4 text-ink-faint"
          />
        </span>
      )}
    </Field>
  )
}

function flags(labelHidden = false, optional = false) {
  return { labelHidden, optional }
}
