import { Link, useLocation } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { errorMessages as messages } from './error-messages.ts'

/** Any path that is not in `routes.tsx`. */
export function Component() {
  const { pathname, search, hash } = useLocation()
  return (
    <>
      <p className="text-sm font-semibold text-ink-faint tabular-nums">404</p>
      <PageHeading title={messages.notFound} />
      <p className="mt-2 text-ink-muted">
        {messages.notFoundText}{' '}
        <code className="font-mono text-sm break-all text-ink">{pathname + search + hash}</code>
      </p>
      <Link to="/success-plans" className={`${buttonClass('primary')} mt-6`}>
        {messages.toPlans}
      </Link>
    </>
  )
}
