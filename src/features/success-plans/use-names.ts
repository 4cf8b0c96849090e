import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useAccountsById } from '../../data/accounts.ts'
import { membersByUserQuery } from '../../data/organisations/queries.ts'
import { useListSnapshot } from './list/list-snapshot.ts'

/** Returns the name of an account or a person by id; undefined while it is unknown. */
export function useNames(): (id: string | null) => string | undefined {
  const accounts = useAccountsById()
  const members = useQuery(membersByUserQuery()).data
  const snapshotNames = useListSnapshot()?.names
  return useCallback(
    (id) =>
      id === null
        ? undefined
        : (accounts?.get(id)?.name ?? members?.get(id)?.name ?? snapshotNames?.[id]),
    [accounts, members, snapshotNames],
  )
}
