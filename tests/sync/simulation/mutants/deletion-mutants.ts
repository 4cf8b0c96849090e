// Planted bugs in deletions.
import { upcast } from '../../../../src/sync/core/operation.ts'
import { jsonAnswer, wrap } from '../mutate.ts'
import type { Mutant } from '../run.ts'

export const deletionMutants: readonly Mutant[] = [
  {
    name: 'a deletion is sent without the version',
    engine: ({ outbox }) => {
      wrap(outbox, 'enqueue', (enqueue) => ({ seen, ...added }) => {
        const isDeletion = added.endpoint.startsWith('delete')
        return enqueue(isDeletion ? added : { ...added, seen })
      })
    },
  },
  {
    name: 'a deletion is not undone',
    engine: ({ outbox }) => {
      wrap(outbox, 'discard', (discard) => async (ids, onlyUnsent) => {
        const removed = await discard(ids, onlyUnsent)
        if (onlyUnsent) await outbox.restore(removed)
        return removed
      })
    },
  },
  {
    name: 'what others wrote is deleted without a question',
    engine: ({ outbox: { conflicts } }, { ports }) => {
      wrap(conflicts, 'rebase', (rebase) => async (sent, stale) => {
        const { id } = sent
        await rebase(sent, stale)
        await ports.store.transact(['operations'], 'strict', async (tx) => {
          const one = upcast(await tx.get('operations', id))
          if (!one?.conflict || !one.endpoint.startsWith('delete')) return
          const { conflict: _conflict, ...rest } = one
          const base = { fields: {}, version: Number(stale.theirs.version) }
          tx.put('operations', id, { ...rest, base, state: 'pending', last_error: null })
        })
      })
    },
  },
  {
    name: 'the 404 of a proxy is taken for an answer of the server',
    ports: ({ network }) => {
      wrap(network, 'exchange', (exchange) => async (request) => {
        const response = await exchange(request)
        return response.status === 404 ? jsonAnswer(404, { message: 'Gone.' }) : response
      })
    },
  },
  {
    name: 'a lost answer to a deletion is taken for a refusal',
    engine: ({ http }) => {
      wrap(http, 'call', (call) => async (...args) => {
        const outcome = await call(...args)
        return outcome.kind === 'unreachable' && args[0].method === 'DELETE'
          ? { kind: 'refused', error: { status: 422, message: 'No answer.' } }
          : outcome
      })
    },
  },
]
