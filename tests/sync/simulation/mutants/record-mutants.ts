// Planted bugs in edits of initiatives and actions.
import type { CallInput } from '../../../../src/sync/core/ports.ts'
import { removing, wrap } from '../mutate.ts'
import type { Mutant } from '../run.ts'

/** The operation without what its author saw, where it changes who owns a plan or when it ends. */
function blind<T extends { input: CallInput; seen?: object | undefined }>(one: T): T {
  const { owner_id, end_date } = (one.input.body ?? {}) as Record<string, unknown>
  return owner_id === undefined && end_date === undefined ? one : { ...one, seen: undefined }
}

export const recordMutants: readonly Mutant[] = [
  {
    name: 'a tick leaves the screen before its copy has come',
    engine: ({ outbox }, { ports }) => {
      wrap(outbox, 'acknowledge', (acknowledge) => async (id, answer, arrival) => {
        const acknowledged = await acknowledge(id, answer, arrival)
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
    name: 'who owns many plans, and when they end, is not compared',
    engine: ({ outbox }) => {
      wrap(outbox, 'enqueueAll', (enqueueAll) => (all, draft) => enqueueAll(all.map(blind), draft))
    },
  },
  {
    name: 'a plan is sent without skipping weekends',
    ports: ({ network }) => {
      wrap(
        network,
        'exchange',
        (exchange) => (request) =>
          exchange({
            ...request,
            ...(request.body && { body: request.body.replace(',"skip_weekends":true', '') }),
          }),
      )
    },
  },
  {
    name: 'the outcome of a renewal goes with the date that was given up',
    steps: 60,
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
