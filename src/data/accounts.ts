// Queries for accounts, with the operations in the outbox applied.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Account } from '../../contract/schemas/accounts.ts'
import { useOperations } from '../sync/react/use-sync.ts'
import { definedFields, overlayOf } from './optimistic.ts'
import { oneRecordQuery, recordsQuery } from './record-queries.ts'

/** Applies operations to accounts. */
export const overlayAccounts = overlayOf('accounts', {
  fieldsOf: ({ contacts, renewal_outcome, ...body }, before) => {
    const people = contacts?.map((contact, at) => ({
      id: contact.id ?? before.contacts?.[at]?.id ?? String(at),
      name: contact.name,
      email: contact.email ?? null,
      phone: contact.phone,
      title: contact.title ?? null,
      role: contact.role ?? null,
      is_primary: contact.is_primary ?? false,
    }))
    const recorded = before.renewals ?? []
    const isNew = renewal_outcome && recorded.every(({ id }) => id !== renewal_outcome.id)
    return {
      ...definedFields(body),
      ...(people && { contacts: people }),
      ...(isNew && {
        renewals: [
          ...recorded,
          {
            ...renewal_outcome,
            amount: renewal_outcome.amount ?? null,
            next_date: renewal_outcome.next_date ?? null,
            note: renewal_outcome.note ?? null,
            // As on the server: the one of the same edit counts already.
            currency: body.currency ?? before.currency ?? null,
            user_id: null,
          },
        ],
      }),
    }
  },
})

/** All accounts of the active organisation; undefined while loading. */
export function useAccounts() {
  const query = useQuery(recordsQuery('accounts'))
  const operations = useOperations()
  const accounts = useMemo(
    () => query.data && overlayAccounts(query.data, operations),
    [query.data, operations],
  )
  return { query, accounts }
}

/** The accounts by id, to show the account of a plan; undefined while loading. */
export function useAccountsById(): ReadonlyMap<string, Account> | undefined {
  const { accounts } = useAccounts()
  return useMemo(
    () => accounts && new Map(accounts.map((account) => [account.id, account])),
    [accounts],
  )
}

/** One account; null if it does not exist, undefined while loading. */
export function useAccount(id: string) {
  const query = useQuery(oneRecordQuery('accounts', id))
  const operations = useOperations()
  const account = useMemo(() => {
    const accounts = overlayAccounts(query.data ? [query.data] : [], operations)
    return (
      accounts.find(({ id: known }) => known === id) ??
      (query.data === undefined ? undefined : null)
    )
  }, [query.data, id, operations])
  return { query, account }
}
