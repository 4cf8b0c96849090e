// Planted bugs in deletions that only a server without keys or versions shows.
import { wrap } from '../mutate.ts'
import { isDeletion } from './plain-deletions.ts'
import type { PlainMutant } from './plain-run.ts'

export const plainDeletionMutants: readonly PlainMutant[] = [
  {
    name: 'a deletion is not compared with what was read',
    engine: ({ outbox: { conflicts } }) => {
      wrap(
        conflicts,
        'isInConflict',
        (isInConflict) => async (operation, theirs) =>
          !isDeletion(operation) && (await isInConflict(operation, theirs)),
      )
    },
  },
  {
    name: 'a repeated deletion counts as refused',
    engine: ({ http }) => {
      wrap(http, 'call', (call) => async (...args) => {
        const outcome = await call(...args)
        return outcome.kind === 'refused' && args[0].method === 'DELETE'
          ? { ...outcome, error: { ...outcome.error, status: 403 } }
          : outcome
      })
    },
  },
]
