import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, type To } from 'react-router'

/** Above a heading: a link to the parent screen. */
export function BackLink({ to, children }: { to: To; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="-ms-1 mb-3 inline-flex min-h-8 items-center gap-1.5 rounded-md px-1 text-sm font-semibold text-ink-muted hover:text-ink coarse:min-h-11"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {children}
    </Link>
  )
}
