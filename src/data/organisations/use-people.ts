import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useCapability } from '../../sync/react/use-sync.ts'
import { recordsQuery } from '../record-queries.ts'
import { membersQuery } from './queries.ts'

/** A member, or a former member whose name the history keeps. */
interface Person {
  user_id: string
  name: string
}

/**
 * Members and former members by user id, to name owners, assignees and authors; undefined until the members are
 * loaded. Only members may be chosen: see `membersQuery`.
 */
export function usePeople(): ReadonlyMap<string, Person> | undefined {
  const members = useQuery(membersQuery()).data
  const enabled = useCapability('handover')
  const former = useQuery({ ...recordsQuery('former_members'), enabled }).data
  return useMemo(
    () =>
      members &&
      new Map<string, Person>(
        [...(former ?? []), ...members].map((person) => [person.user_id, person]),
      ),
    [members, former],
  )
}
