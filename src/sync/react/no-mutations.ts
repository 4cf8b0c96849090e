// Takes the place of two parts of TanStack Query in a build: its mutations, since writes go through the
// outbox, and its infinite queries, since lists come from the replica. `vite.config.ts` exchanges them.

/** A cache of mutations that stays empty. */
export class MutationCache {
  getAll = () => []
  findAll = this.getAll
  clear() {}
  resumePausedMutations() {
    return Promise.resolve()
  }
}

/** Never called: no query is infinite. */
export const infiniteQueryBehavior = () => undefined
