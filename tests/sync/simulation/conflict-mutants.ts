// Planted bugs in the handling of concurrent edits.
import { upcast, type Operation } from '../../../src/sync/core/operation.ts'
import type { Ports } from '../../../src/sync/core/ports.ts'
import { removing, wrap } from './mutate.ts'
import type { Mutant } from './run.ts'

const changing = (ports: Ports, change: (operation: Operation) => Operation) =>
  ports.store.transact(['operations'], 'strict', async (tx) => {
    for (const operation of (await tx.all('operations', [])).map(upcast))
      if (operation) tx.put('operations', operation.id, change(operation))
  })

const idsIn = (ports: Ports) =>
  ports.store.transact(
    ['operations'],
    'readonly',
    async (tx) => new Set((await tx.all('operations', [])).map((one) => upcast(one)?.id)),
  )

export const conflictMutants: readonly Mutant[] = [
  {
    name: 'an edit forgets what it was based on',
    engine: ({ outbox }) => {
      wrap(
        outbox,
        'enqueue',
        (enqueue) =>
          ({ seen: _seen, ...next }) =>
            enqueue(next),
      )
    },
  },
  {
    name: 'merged without comparing',
    engine: ({ outbox: { conflicts } }, { ports }) => {
      conflicts.rebase = async ({ id }, { theirs }) => {
        const version = Number(theirs.version)
        await changing(ports, (one) =>
          one.id === id && one.base ? { ...one, base: { ...one.base, version } } : one,
        )
      }
    },
  },
  {
    name: 'a note goes down with its effect',
    engine: ({ outbox: { conflicts } }, { ports }) => {
      wrap(conflicts, 'rebase', (rebase) => async (...all) => {
        const known = await idsIn(ports)
        await rebase(...all)
        await removing(ports, (one) => !known.has(one.id) && one.conflict === undefined)
      })
    },
  },
  {
    name: 'whatever follows counts as based on the answer',
    engine: ({ outbox }, { ports }) => {
      wrap(outbox, 'acknowledge', (acknowledge) => async (id, answer, arrival) => {
        const acknowledged = await acknowledge(id, answer, arrival)
        const version = Number(answer.success_plan_version ?? answer.version)
        await changing(ports, (one) =>
          one.base && one.lane === acknowledged?.lane && one.id !== id
            ? { ...one, base: { ...one.base, version } }
            : one,
        )
        return acknowledged
      })
    },
  },
  {
    name: 'a record that was read counts as the answer',
    // Elsewhere too few plans are read in place of their answer.
    server: { edits_new_plans: true, has_batch: false },
    engine: ({ outbox }) => {
      wrap(
        outbox,
        'acknowledge',
        (acknowledge) => async (id, answer, arrival) =>
          await acknowledge(id, answer, { byContent: arrival?.byContent }),
      )
    },
  },
  {
    name: 'a question is taken for answered',
    engine: ({ outbox: { conflicts } }, { ports }) => {
      wrap(conflicts, 'rebase', (rebase) => async (id, stale) => {
        await rebase(id, stale)
        await removing(ports, ({ conflict }) => conflict !== undefined)
      })
    },
  },
  {
    name: 'an answer under the old version',
    engine: ({ outbox: { conflicts } }, { ports }) => {
      wrap(conflicts, 'resolve', (resolve) => async (asked, keep) => {
        const { base } =
          upcast(
            await ports.store.transact(['operations'], 'readonly', (tx) =>
              tx.get('operations', asked.id),
            ),
          ) ?? {}
        const next = await resolve(asked, keep)
        const resolved = typeof next === 'string' ? undefined : next
        await changing(ports, (one) => (one.id === resolved?.id ? { ...one, base } : one))
        return next
      })
    },
  },
]
