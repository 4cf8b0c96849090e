// What follows a commit and must not follow anything else.
import { errorFields, log } from './log.ts'

type Work = () => Promise<void>

export interface Afterwards {
  /** A new attempt of the transaction; returns how it adds what follows. What an earlier one added is forgotten. */
  begin(): (work: Work) => void
  /** The transaction has committed. What fails is logged: the caller's answer stands. */
  run(): Promise<void>
}

export function createAfterwards(): Afterwards {
  let added: Work[] = []
  return {
    begin() {
      const own: Work[] = []
      added = own
      return (work) => void own.push(work)
    },
    async run() {
      for (const work of added)
        await work().catch((error: unknown) =>
          log('error', 'what follows a commit failed', errorFields(error)),
        )
    },
  }
}
