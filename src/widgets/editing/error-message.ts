import { CallError } from '../../sync/client.ts'
import { StorageFullError } from '../../sync/core/ports.ts'
import { editingMessages as messages } from './messages.ts'

/**
 * The message for a failed call: the server's own if it sent one, else by what it did. `unreachable` is used if no
 * response arrived, not for one that leaves open whether the server did what was asked.
 */
export function errorMessage(problem: unknown, unreachable: string = messages.unreachable): string {
  if (!(problem instanceof CallError))
    return problem instanceof StorageFullError ? messages.full : messages.failed
  const { kind, status = 0, errors, isTaken, message } = problem
  if (isTaken) return messages.taken
  const words = Object.values(errors)[0]?.[0] ?? message
  if (words) return words
  if (kind === 'unreachable') return unreachable
  if (kind === 'busy') return messages.busy
  if (kind === 'signed-out' || status === 401 || status === 403) return messages.denied
  return [404, 405, 410, 501].includes(status) ? messages.gone : messages.refused(status)
}
