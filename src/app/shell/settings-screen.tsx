import { useSyncExternalStore } from 'react'
import { Navigate } from 'react-router'
import { PageHeading } from '../../ui/page-heading.tsx'
import { settingsMessages as messages } from './settings-messages.ts'

/** Minimum width at which the layout shows a section beside the list. */
const DESKTOP_QUERY = '(min-width: 48rem)'

function subscribe(changed: () => void) {
  const query = matchMedia(DESKTOP_QUERY)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/**
 * `/settings`: the list of sections on a phone (rendered by the layout), the first section on larger
 * screens.
 */
export function Component() {
  const isDesk = useSyncExternalStore(subscribe, () => matchMedia(DESKTOP_QUERY).matches)
  if (isDesk) return <Navigate to="/settings/profile" replace />
  return <PageHeading title={messages.title} />
}
