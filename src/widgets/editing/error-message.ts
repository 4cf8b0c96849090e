import { CallError } from '../../sync/client.ts'
import { StorageFullError } from '../../sync/core/ports.ts'
import { editingMessages as messages } from './messages.ts'

/**
 * Why something could not be said: the server's own words where it gave any. `unreachable` is what is
 * said when no answer came.
 */
export function errorMessage(problem: unknown, unreachable: string = messages.unreachable): string {
  if (problem instanceof CallError)
    return Object.values(problem.errors)[0]?.[0] ?? (problem.message || unreachable)
  return problem instanceof StorageFullError ? messages.full : messages.failed
}
