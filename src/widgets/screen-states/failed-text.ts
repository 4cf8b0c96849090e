import { CallError } from '../../sync/client.ts'
import { useConnection, useReadReport } from '../../sync/react/use-sync.ts'
import { failedMessages as messages } from './no-data-messages.ts'
import { isNotOffered } from './not-offered.ts'

const DENIED = [401, 403]

/**
 * Why data is missing while the server answers: `failed`, unless the server has no such call, or denies it.
 * `collection` is the one that a pull reads, whose status is not in the `error` of its query.
 */
export function useFailedText(failed: string, error: unknown, collection = ''): string {
  const isOnline = useConnection() === 'online'
  const { refused } = useReadReport()
  const { status = refused[collection] ?? 0, isNotUnderstood = false } =
    error instanceof CallError ? error : {}
  if (!isOnline || isNotUnderstood) return messages.notUnderstood
  if (isNotOffered(status)) return messages.notOffered
  return DENIED.includes(status) ? messages.denied : failed
}
