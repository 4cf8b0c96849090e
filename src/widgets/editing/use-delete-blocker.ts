import type { ResourceWith } from '../../../contract/resources.ts'
import { canManage } from '../../../contract/roles.ts'
import { useOperations } from '../../sync/react/use-sync.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { pendingCreation } from '../../data/operations/pending-edits.ts'
import { editingMessages as messages } from './messages.ts'

interface Deletable {
  id: string
  created_by: string | null
}

/** Returns why a record of `resource` cannot be deleted now; undefined if it can. */
export function useDeleteBlocker(
  resource: ResourceWith<'create'>,
): (record: Deletable) => string | undefined {
  const operations = useOperations()
  const current = useCurrentSession()
  return ({ id, created_by }) => {
    if (pendingCreation(operations, resource, id)) return messages.deleteUnsent
    const mayManage = current?.organisation && canManage(current.user, current.organisation)
    // A server that does not name the author decides itself.
    const isOthers = created_by !== null && created_by !== current?.user.id
    return isOthers && !mayManage ? messages.deleteNotYours : undefined
  }
}
