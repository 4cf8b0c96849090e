// Names of accounts and people for files, which do not follow when a name arrives later.
import { CancelledError, type FetchQueryOptions } from '@tanstack/react-query'
import { sync } from '../../sync/client.ts'
import { queryClient } from '../../sync/react/query-client.ts'
import { overlayAccounts } from '../../data/accounts.ts'
import type { NameOf } from '../../data/record-id.ts'
import { mayLack, recordsQuery } from '../../data/record-queries.ts'
import { membersQuery } from '../../data/organisations/queries.ts'

/** Whether the names of accounts and people are on the screen's side already, so that nothing is waited for. */
export const areNamesRead = (): boolean =>
  [recordsQuery('accounts'), membersQuery()].every(
    ({ queryKey }) => queryClient.getQueryData(queryKey) !== undefined,
  )

/** The answer of the query; undefined where it cannot be had. */
async function answerOf<T, K extends readonly unknown[]>(
  query: FetchQueryOptions<T, Error, T, K>,
): Promise<T | undefined> {
  try {
    return await queryClient.fetchQuery(query)
  } catch (error) {
    // Cancelled in favour of what has just been stored; the next one finds that.
    return error instanceof CancelledError ? await answerOf(query) : undefined
  }
}

/**
 * Waits for accounts and people, and names them. Where they could not be read, the id stands for the name: an
 * unread account is still that account. People who have left have no name.
 */
export async function readNames(): Promise<NameOf> {
  const hasFormer = sync().capabilities.get()?.split(',').includes('handover') === true
  const [accounts, members, former] = await Promise.all([
    answerOf(recordsQuery('accounts')),
    answerOf(membersQuery()),
    hasFormer ? answerOf(recordsQuery('former_members')) : undefined,
  ])
  const accountNames = new Map(
    overlayAccounts(accounts ?? [], sync().operations.get()).map(({ id, name }) => [id, name]),
  )
  const peopleNames = new Map(
    [...(former ?? []), ...(members ?? [])].map(({ user_id, name }) => [user_id, name]),
  )
  const mayBeMember = !members || mayLack('organisation_users', sync().readReport.get())
  return (of, id) => {
    if (id === null) return undefined
    if (of === 'accounts') return accountNames.get(id) ?? id
    return peopleNames.get(id) ?? (mayBeMember ? id : undefined)
  }
}
