// Planted bugs in edits of initiatives and actions.
import { removing, wrap } from '../mutate.ts'
import type { Mutant } from '../run.ts'

export const recordMutants: readonly Mutant[] = [
  {
    name: 'a tick leaves the screen before its copy has come',
    engine: ({ outbox }, { ports }) => {
      wrap(outbox, 'acknowledge', (acknowledge) => async (id, answer) => {
        const acknowledged = await acknowledge(id, answer)
        await removing(ports, (one) => one.id === id && one.endpoint === 'updateAction')
        return acknowledged
      })
    },
  },
  {
    name: 'an action is sent before its initiative',
    ports: ({ calls }) => {
      const policy = calls.createAction?.offlinePolicy
      if (calls.createAction && policy)
        calls.createAction.offlinePolicy = { ...policy, references: () => [] }
    },
  },
  {
    name: 'a step is stored in parts',
    engine: ({ outbox }) => {
      wrap(outbox, 'enqueueAll', (enqueueAll) => async (all, draft) => {
        const parts = []
        for (const one of all) parts.push(...(await enqueueAll([one], draft)))
        return parts
      })
    },
  },
  {
    name: 'a step is sent before it can be undone',
    engine: ({ outbox }) => {
      wrap(
        outbox,
        'enqueueAll',
        (enqueueAll) => (all, draft) =>
          enqueueAll(all.length > 1 ? all.map((one) => ({ ...one, delayMs: 0 })) : all, draft),
      )
    },
  },
  {
    name: 'the outcome of a renewal goes with the date that was given up',
    ports: ({ calls }) => {
      const policy = calls.updateAccount?.offlinePolicy
      if (calls.updateAccount && policy)
        calls.updateAccount.offlinePolicy = {
          ...policy,
          omitFields: (input, names) => policy.omitFields?.(input, [...names, 'renewal_outcome']),
        }
    },
  },
  {
    name: 'an update keeps the version of a database that was restored',
    engine: ({ puller }) => {
      wrap(
        puller,
        'store',
        (store) =>
          (replica, { put, deleted }, advance) =>
            advance ? store(replica, { put, deleted }, advance) : store(replica, { put, deleted }),
      )
    },
  },
]
