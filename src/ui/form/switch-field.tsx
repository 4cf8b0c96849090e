import { useId, type ReactNode } from 'react'

interface SwitchFieldProps {
  label: string
  /** What the setting does. */
  hint: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** Further options, shown while it is on. */
  children?: ReactNode
}

/** A setting that is on or off and applies at once. The whole row can be pressed. */
export function SwitchField({ label, hint, checked, onChange, children }: SwitchFieldProps) {
  const id = useId()
  return (
    <div className="border-b border-line">
      <div className="relative flex min-h-11 items-center justify-between gap-4 py-3">
        <div className="min-w-0">
          <label
            htmlFor={id}
            className="block cursor-pointer text-sm font-semibold after:absolute after:inset-0"
          >
            {label}
          </label>
          <p id={`${id}-hint`} className="text-sm text-pretty text-ink-muted">
            {hint}
          </p>
        </div>
        <input
          id={id}
          type="checkbox"
          role="switch"
          aria-checked={checked}
          aria-describedby={`${id}-hint`}
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          className="relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-sunken transition-colors before:absolute before:inset-y-0.5 before:start-0.5 before:w-4.5 before:rounded-full before:bg-edge before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-accent-ink forced-colors:appearance-auto"
        />
      </div>
      {checked && children}
    </div>
  )
}
