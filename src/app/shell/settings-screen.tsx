import { Navigate } from 'react-router'
import { PageHeading } from '../../ui/page-heading.tsx'
import { useDesktop } from '../../ui/platform/use-desktop.ts'
import { settingsMessages as messages } from './settings-messages.ts'

/**
 * `/settings`: the list of sections on a phone (rendered by the layout), the first section on larger
 * screens.
 */
export function Component() {
  if (useDesktop()) return <Navigate to="/settings/profile" replace />
  return <PageHeading title={messages.title} />
}
