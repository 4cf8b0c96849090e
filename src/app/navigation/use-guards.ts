import { useLocation } from 'react-router'
import { useConfiguration } from '../../features/session/cached-config.ts'
import { useSession } from '../../sync/react/use-sync.ts'
import { guard, visitorOf, type RedirectTarget } from './guards.ts'

interface GuardResult {
  /** Where the guards send from the place that one is on the way to; undefined when one may go there. */
  redirect: RedirectTarget | undefined
  /** Whether the place that the router draws may be seen: until the next one is ready that is the last. */
  admitted: boolean
}

/**
 * Asks the guards about every navigation, and again when somebody signed in or out or the organisation
 * changed, here or in another tab. About the place that one is on the way to: a sign-out that has
 * already left is not asked to come back. It reads what this page knows and waits for nothing.
 */
export function useGuards(): GuardResult {
  const { pathname, search } = useLocation()
  const { redirects } = useConfiguration()
  const visitor = visitorOf(useSession())
  const next = new URL(location.href)
  const redirect = guard(next, visitor, redirects)
  const drawn = new URL(next)
  drawn.pathname = pathname
  drawn.search = search
  return { redirect, admitted: !redirect && !guard(drawn, visitor, redirects) }
}
