import { CallError } from '../../sync/client.ts'
import { StorageFullError } from '../../sync/core/ports.ts'
import { editingMessages as messages } from './messages.ts'

/**
 * The message for a failed call: the server's own if it sent one. `unreachable` is used if no response
 * arrived, not for one that leaves open whether the server did what was asked.
 */
export function errorMessage(problem: unknown, unreachable: string = messages.unreachable): string {
  if (problem instanceof CallError && problem.isTaken) return messages.taken
  if (problem instanceof CallError)
    return Object.values(problem.errors)[0]?.[0] ?? (problem.message || unreachable)
  return problem instanceof StorageFullError ? messages.full : messages.failed
}
