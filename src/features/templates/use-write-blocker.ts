import { canManage } from '../../../contract/roles.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { templateMessages as messages } from './messages.ts'

/** Why templates cannot be edited now; undefined if they can. */
export function useWriteBlocker(): string | undefined {
  const offline = useConnection() === 'offline'
  const current = useCurrentSession()
  const may = current?.organisation && canManage(current.user, current.organisation)
  if (!may) return messages.managersOnly
  return offline ? messages.offline : undefined
}
