// The answer of a write as the stored answer of a query.
import type { QueryKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import { storeAnswer } from './query-options.ts'

/**
 * Shows and stores `answer` as the last response of an `endpointQuery`: the server gave it to a write. A
 * read that is under way is cancelled, as it may have been answered before that write. Never rejects for storage: an
 * answer that cannot be stored is still shown.
 */
export async function keepAnswer(queryKey: QueryKey, answer: unknown): Promise<void> {
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, answer)
  const [user_id = '', organisation_id = '', , name = ''] = queryKey as string[]
  await storeAnswer({ user_id, organisation_id }, name, answer).catch(() => undefined)
}
