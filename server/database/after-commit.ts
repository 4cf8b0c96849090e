// After-commit hooks: work that runs only once the transaction has committed.
import { errorFields, log } from '../log.ts'

type Hook = () => Promise<void>

/** The hooks of one request. */
export interface AfterCommit {
  /** Begins an attempt of the transaction. Returns the function that adds hooks; drops those of earlier attempts. */
  newAttempt(): (work: Hook) => void
  /** Runs the hooks after the commit. Failures are logged, because the response no longer depends on them. */
  run(): Promise<void>
}

/** Hooks for a transaction that may be attempted several times. */
export function createAfterCommit(): AfterCommit {
  let hooks: Hook[] = []
  return {
    newAttempt() {
      const attemptHooks: Hook[] = []
      hooks = attemptHooks
      return (work) => void attemptHooks.push(work)
    },
    async run() {
      for (const work of hooks)
        await work().catch((error: unknown) =>
          log('error', 'after-commit hook failed', errorFields(error)),
        )
    },
  }
}
