import { canManage } from '../../../contract/roles.ts'
import { useConnection } from '../../sync/react.ts'
import { useCurrent } from '../session/queries.ts'
import { templateWords as words } from './words.ts'

/** Why no template can be written now; undefined where one can. */
export function useWhyNotWrite(): string | undefined {
  const offline = useConnection() === 'offline'
  const current = useCurrent()
  const may = current?.organisation && canManage(current.user, current.organisation)
  if (!may) return words.managersOnly
  return offline ? words.offline : undefined
}
