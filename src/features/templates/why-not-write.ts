import { canManage } from '../../../contract/roles.ts'
import { useConnection } from '../../sync/react.ts'
import { useCurrentSession } from '../session/queries.ts'
import { templateMessages as messages } from './words.ts'

/** Why no template can be written now; undefined where one can. */
export function useWriteBlocker(): string | undefined {
  const offline = useConnection() === 'offline'
  const current = useCurrentSession()
  const may = current?.organisation && canManage(current.user, current.organisation)
  if (!may) return messages.managersOnly
  return offline ? messages.offline : undefined
}
