import { canManage } from '../../../contract/roles.ts'
import { useConnection, useOperations } from '../../sync/react.ts'
import { useCurrent } from '../session/queries.ts'
import { creationOf } from './say-edit.ts'
import { editingWords as words } from './words.ts'

interface Deletable {
  id: string
  created_by: string | null
}

/** Why a record cannot be deleted now; undefined where it can. `creation` is the call that makes such records. */
export function useWhyKept(creation: string): (record: Deletable) => string | undefined {
  const offline = useConnection() === 'offline'
  const operations = useOperations()
  const current = useCurrent()
  return ({ id, created_by }) => {
    if (creationOf(operations, creation, id)) return words.deleteUnsent
    if (offline) return words.deleteOffline
    const mayManage = current?.organisation && canManage(current.user, current.organisation)
    return mayManage || created_by === current?.user.id ? undefined : words.deleteNotYours
  }
}
