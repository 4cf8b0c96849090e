// What follows a commit and must not follow anything else.
import { errorFields, log } from '../log.ts'

type Hook = () => Promise<void>

export interface AfterCommit {
  /** A new attempt of the transaction; returns how it adds what follows. What an earlier one added is forgotten. */
  newAttempt(): (work: Hook) => void
  /** The transaction has committed. What fails is logged: the caller's answer stands. */
  run(): Promise<void>
}

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
          log('error', 'what follows a commit failed', errorFields(error)),
        )
    },
  }
}
