import type { Account } from '../../../contract/accounts.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { collectionQuery, recordQuery } from '../../sync/queries.ts'

/** Every account of the active organisation, as the server said it. */
export const accountsQuery = () => collectionQuery<Account>('accounts')

/** One account; null when it is known not to exist. */
export const accountQuery = (id: string) =>
  recordQuery<Account>('accounts', id, endpoints.getAccount)

const byId = (accounts: Account[]): ReadonlyMap<string, Account> =>
  new Map(accounts.map((account) => [account.id, account]))

/** The accounts by id, as plans name them. */
export const accountsByIdQuery = () => ({ ...accountsQuery(), select: byId })
