import { useLocation } from 'react-router'
import { useConfiguration } from '../../features/session/cached-config.ts'
import { useSession } from '../../sync/react/use-sync.ts'
import { guard, visitorOf, type RedirectTarget } from './guards.ts'

interface GuardResult {
  /** Where the guards redirect the pending navigation; undefined if it may proceed. */
  redirect: RedirectTarget | undefined
  /**
   * Whether the screen the router currently renders may be shown; during a transition that is the
   * previous one.
   */
  admitted: boolean
}

/**
 * Runs the guards on every navigation, and again when the user signs in or out or switches the
 * organisation, here or in another tab. They check the pending location, so that a sign-out that is
 * already leaving is not sent back. Synchronous: uses only what this page knows.
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
