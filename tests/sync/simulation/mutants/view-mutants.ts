// Planted bugs in changes of saved views.
import type { Mutant } from '../run.ts'

export const viewMutants: readonly Mutant[] = [
  {
    name: 'the changes of a view overtake each other',
    ports: ({ calls }) => {
      for (const name of ['putSavedView', 'deleteSavedView']) {
        const call = calls[name]
        const policy = call?.offlinePolicy
        if (policy) call.offlinePolicy = { ...policy, lane: (input) => JSON.stringify(input) }
      }
    },
  },
]
