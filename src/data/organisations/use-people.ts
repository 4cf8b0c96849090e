import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useCapability, useReadReport } from '../../sync/react/use-sync.ts'
import { mayLack as mayLackRecords, recordsQuery } from '../record-queries.ts'
import type { People } from './person-name.ts'
import { membersQuery } from './queries.ts'

/**
 * Members and former members by user id, to name owners, assignees and authors; undefined until the members are
 * loaded. Only members may be chosen: see `membersQuery`.
 */
export function usePeople(): People | undefined {
  const members = useQuery(membersQuery()).data
  const enabled = useCapability('handover')
  const former = useQuery({ ...recordsQuery('former_members'), enabled }).data
  const mayLack = mayLackRecords('organisation_users', useReadReport())
  return useMemo(() => {
    const people = [...(former ?? []), ...(members ?? [])]
    const byId = new Map(people.map((person) => [person.user_id, person]))
    return members && Object.assign(byId, { mayLack })
  }, [members, former, mayLack])
}
