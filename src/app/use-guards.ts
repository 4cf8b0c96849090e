import { useLocation } from 'react-router'
import { useConfiguration } from '../features/session/configuration.ts'
import { useSession } from '../sync/react.ts'
import { guard, visitorOf, type Elsewhere } from './guards.ts'

/**
 * Asks the guards about every navigation, and again when somebody signed in or out or the organisation
 * changed, here or in another tab. About the place that one is on the way to: a sign-out that has
 * already left is not asked to come back. It reads what this page knows and waits for nothing.
 */
export function useGuards(): Elsewhere | undefined {
  useLocation()
  const { redirects } = useConfiguration()
  return guard(new URL(location.href), visitorOf(useSession()), redirects)
}
