// Planted bugs in forms, drafts and what the screens show of pending edits.
import { inTransactions, jsonAnswer, removing, wrap } from '../mutate.ts'
import type { Mutant } from '../run.ts'

export const formMutants: readonly Mutant[] = [
  {
    name: 'a quick step is sent before it can be undone',
    engine: ({ outbox }) => {
      wrap(outbox, 'enqueue', (enqueue) => (added) => enqueue({ ...added, delayMs: 0 }))
    },
  },
  {
    name: 'a form opens before the outbox is read',
    engine: (_engine, context) => {
      context.isOutboxRead = true
    },
  },
  {
    name: 'a draft survives its save',
    ports: (ports) => {
      ports.store = inTransactions(ports.store, (tx) => ({
        delete: (table, key) => (table === 'drafts' ? undefined : tx.delete(table, key)),
      }))
    },
  },
  {
    name: 'a stale form counts as based on the present record',
    engine: (engine, context) => {
      wrap(engine, 'enqueue', (enqueue) => (endpoint, input, seen, ...rest) => {
        const present = context.shown('success_plans', String(input.path?.id))
        return enqueue(endpoint, input, seen && present ? present.seen : seen, ...rest)
      })
    },
  },
  {
    name: 'a restored draft forgets what it was typed over',
    ports: (ports) => {
      ports.store = inTransactions(ports.store, (tx) => ({
        get: async (table, key) => {
          const stored = await tx.get(table, key)
          return table === 'drafts' && stored ? { ...stored, seen: undefined } : stored
        },
      }))
    },
  },
  {
    name: 'own words taken for those of others',
    ports: (ports) => {
      wrap(ports.network, 'exchange', (exchange) => async (request) => {
        const response = await exchange(request)
        if (response.status !== 412) return response
        const body = JSON.parse(response.text) as { changed_by?: object }
        const names = Object.keys(body.changed_by ?? {})
        const changed_by = Object.fromEntries(names.map((name) => [name, 'someone']))
        return jsonAnswer(412, { ...body, changed_by })
      })
    },
  },
  {
    name: 'an edit leaves the screen before its copy has come',
    engine: ({ outbox }, { ports }) => {
      wrap(outbox, 'acknowledge', (acknowledge) => async (id, answer, arrival) => {
        const acknowledged = await acknowledge(id, answer, arrival)
        await removing(ports, (one) => one.id === id && one.endpoint === 'updateSuccessPlan')
        return acknowledged
      })
    },
  },
]
