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
