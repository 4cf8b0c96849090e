import { useCallback } from 'react'
import type { NameOf } from '../../data/record-id.ts'
import { useAccountsById } from '../../data/accounts.ts'
import { hasLeft } from '../../data/organisations/person-name.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { snapshotKey, useListSnapshot } from './list/list-snapshot.ts'

/** Names accounts and, by their user id, people. */
export function useNames(): NameOf {
  const accounts = useAccountsById()
  const people = usePeople()
  const snapshotNames = useListSnapshot()?.names
  return useCallback(
    (of, id) => {
      if (id === null) return undefined
      if (of === 'former_members') return hasLeft(people, id) ? '' : undefined
      const named = of === 'accounts' ? accounts?.get(id) : people?.get(id)
      return named?.name ?? snapshotNames?.[snapshotKey(of, id)]
    },
    [accounts, people, snapshotNames],
  )
}
