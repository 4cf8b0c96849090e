// Cache and outbox together: the accounts as a screen shows them.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { collectionQuery, recordQuery } from '../../sync/react/query-options.ts'
import { useOperations } from '../../sync/react/use-sync.ts'
import { foldAccounts } from './fold.ts'

/** All accounts of the active organisation; undefined until the device or the server has answered. */
export function useAccounts() {
  const query = useQuery(collectionQuery<Account>('accounts'))
  const operations = useOperations()
  const accounts = useMemo(
    () => query.data && foldAccounts(query.data, operations),
    [query.data, operations],
  )
  return { query, accounts }
}

/** The accounts by id, as plans name them. */
export function useAccountsById(): ReadonlyMap<string, Account> | undefined {
  const { accounts } = useAccounts()
  return useMemo(
    () => accounts && new Map(accounts.map((account) => [account.id, account])),
    [accounts],
  )
}

/** One account with what was said of it; null when it does not exist, undefined while unknown. */
export function useAccount(id: string) {
  const query = useQuery(recordQuery<Account>('accounts', id, 'getAccount'))
  const operations = useOperations()
  const account = useMemo(() => {
    const folded = foldAccounts(query.data ? [query.data] : [], operations)
    return folded.find((one) => one.id === id) ?? (query.data === undefined ? undefined : null)
  }, [query.data, id, operations])
  return { query, account }
}
