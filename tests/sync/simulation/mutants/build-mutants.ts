// Planted bugs in what a build does with operations of calls that it does not know.
import { upcast } from '../../../../src/sync/core/operation.ts'
import { OFFLINE_CREATION, tableBefore } from '../earlier-build.ts'
import { inTransactions, removing, wrap } from '../mutate.ts'
import type { Mutant } from '../run.ts'

export const buildMutants: readonly Mutant[] = [
  {
    name: 'a build overlooks operations of calls that it does not know',
    earlierBuild: tableBefore(OFFLINE_CREATION),
    ports: (ports) => {
      const { calls, store } = ports
      const isKnown = (one: unknown) => {
        const operation = upcast(one)
        return operation === undefined || operation.endpoint in calls
      }
      ports.store = inTransactions(store, (tx) => ({
        all: async (table, prefix) =>
          (await tx.all(table, prefix)).filter((one) => table !== 'operations' || isKnown(one)),
      }))
    },
  },
  {
    name: 'a build removes operations of calls that it does not know',
    engine: ({ outbox }, { ports }) => {
      wrap(outbox, 'all', (all) => async () => {
        await removing(ports, ({ endpoint }) => !(endpoint in ports.calls))
        return await all()
      })
    },
  },
]
