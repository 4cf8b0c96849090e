import { useSyncExternalStore } from 'react'
import { Navigate } from 'react-router'
import { PageHeading } from '../../ui/page-heading.tsx'
import { settingsMessages as messages } from './settings-messages.ts'

/** As wide as the layout needs it to show a place of the settings beside the others. */
const DESKTOP_QUERY = '(min-width: 48rem)'

function subscribe(changed: () => void) {
  const query = matchMedia(DESKTOP_QUERY)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** `/settings`: on a phone the list of them, which the layout draws; on a desk the first. */
export function Component() {
  const isDesk = useSyncExternalStore(subscribe, () => matchMedia(DESKTOP_QUERY).matches)
  if (isDesk) return <Navigate to="/settings/profile" replace />
  return <PageHeading title={messages.title} />
}
