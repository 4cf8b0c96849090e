import { canManage } from '../../../contract/roles.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { templateMessages as messages } from './messages.ts'

/** Why the user may not change templates; undefined if that is allowed. Deleting one works offline. */
export function useRoleBlocker(): string | undefined {
  const current = useCurrentSession()
  const may = current?.organisation && canManage(current.user, current.organisation)
  return may ? undefined : messages.managersOnly
}

/** Why templates cannot be edited now; undefined if they can. */
export function useWriteBlocker(): string | undefined {
  const offline = useConnection() === 'offline'
  return useRoleBlocker() ?? (offline ? messages.offline : undefined)
}
