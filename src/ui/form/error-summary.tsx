import type { Ref } from 'react'

interface ErrorSummaryProps {
  ref: Ref<HTMLDivElement>
  title: string
  errors: readonly { field: string; label: string; message: string }[]
}

/** The errors of a form, each a link to its field. Focus it after a failed submit. */
export function ErrorSummary({ ref, title, errors }: ErrorSummaryProps) {
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role={errors.length > 0 ? 'alert' : undefined}
      className={errors.length > 0 ? 'rounded-lg bg-danger px-4 py-3 text-danger-ink' : 'sr-only'}
    >
      {errors.length > 0 && (
        <>
          <p className="font-semibold">{title}</p>
          <ul className="mt-1 text-sm">
            {errors.map(({ field, label, message }) => (
              <li key={field}>
                <a
                  href={`#${field}`}
                  className="inline-flex min-h-6 items-center underline underline-offset-4 coarse:min-h-11"
                  onClick={(event) => {
                    event.preventDefault()
                    document.querySelector<HTMLElement>(`#${field}`)?.focus()
                  }}
                >
                  {label}: {message}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
