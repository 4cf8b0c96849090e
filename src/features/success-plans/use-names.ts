import { useCallback } from 'react'
import { useAccountsById } from '../../data/accounts.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { useListSnapshot } from './list/list-snapshot.ts'

/** Returns the name of an account or a person by id; undefined while it is unknown. */
export function useNames(): (id: string | null) => string | undefined {
  const accounts = useAccountsById()
  const people = usePeople()
  const snapshotNames = useListSnapshot()?.names
  return useCallback(
    (id) =>
      id === null
        ? undefined
        : (accounts?.get(id)?.name ?? people?.get(id)?.name ?? snapshotNames?.[id]),
    [accounts, people, snapshotNames],
  )
}
