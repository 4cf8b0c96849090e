import type { ReactNode } from 'react'

/**
 * A loading placeholder, invisible for the first 200 ms so that fast responses do not flicker. `label`
 * is announced; draw the shape of the content with `Bone`s.
 */
export function Skeleton({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="animate-appear">
      <output className="sr-only">{label}</output>
      <div aria-hidden className="animate-breathe">
        {children}
      </div>
    </div>
  )
}

/** One grey piece. `className` sets its size: `h-4 w-48`. */
export function Bone({ className }: { className: string }) {
  return <div className={`rounded-sm bg-line forced-colors:border ${className}`} />
}

interface SkeletonRowsProps {
  label: string
  rows?: number
  /** For a list that is a table where there is room: rows of one line there. */
  table?: boolean
}

/** The usual shape of a list: pairs of a long and a short line, `rows` times. */
export function SkeletonRows({ label, table, rows = table ? 16 : 6 }: SkeletonRowsProps) {
  const second = table ? 'sm:hidden' : ''
  return (
    <Skeleton label={label}>
      {table && <div className="h-4" />}
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={row}
          className={`flex items-center gap-4 border-b border-line py-4 ${table ? 'sm:h-8 sm:py-0' : ''}`}
        >
          <div className="grid grow gap-2.5">
            <Bone className={row % 3 === 1 ? 'h-4 w-3/5' : 'h-4 w-2/5'} />
            <Bone className={`h-3 ${row % 2 === 1 ? 'w-1/5' : 'w-1/4'} ${second}`} />
          </div>
          <Bone className="h-5 w-20" />
        </div>
      ))}
    </Skeleton>
  )
}

/** The usual shape of a form: fields with their labels. */
export function SkeletonForm({ label }: { label: string }) {
  return (
    <Skeleton label={label}>
      {Array.from({ length: 5 }, (_, field) => (
        <div key={field} className="mt-6 space-y-2">
          <Bone className="h-3 w-24" />
          <Bone className="h-10" />
        </div>
      ))}
    </Skeleton>
  )
}
