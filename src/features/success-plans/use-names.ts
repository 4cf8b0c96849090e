import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useAccountsById } from '../../data/accounts.ts'
import { membersByUserQuery } from '../../data/organisations/queries.ts'
import { useListSnapshot } from './list/list-snapshot.ts'

/** What an account or a person is called, by id; undefined while that is not known. */
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
