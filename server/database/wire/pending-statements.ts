// The statements that wait for their answer. On a path that breaks without a word they would wait for a quarter of an
// hour, while TCP repeats what was not received, or for ever, as on a database that hangs.
import { DatabaseError, type PoolClient } from 'pg'

/** A statement that takes longer is no failure, but a reason to ask whether the database answers at all. */
const LONG_MS = 5_000

/** The statements that were sent, by their connection. */
export class PendingStatements {
  readonly #since = new Map<PoolClient, number>()

  /** Waits for the answer to a statement on that connection. */
  async answerTo<T>(client: PoolClient, answer: Promise<T>): Promise<T> {
    this.#since.set(client, performance.now())
    try {
      return await answer
    } finally {
      this.#since.delete(client)
    }
  }

  /**
   * While statements take long, asks with `ping` on another connection. Without any answer there it closes the
   * connections of those that have waited since before. Returns the function that stops it.
   */
  watch(ping: () => Promise<unknown>): () => void {
    let isAsking = false
    const timer = setInterval(() => {
      const now = performance.now()
      const long = [...this.#since].filter(([, since]) => now - since >= LONG_MS)
      if (isAsking || long.length === 0) return
      isAsking = true
      ping()
        .catch((error: unknown) => {
          if (error instanceof DatabaseError) return
          for (const [client, since] of long)
            // With a statement under way it does not wait for the other side.
            if (this.#since.get(client) === since) void client.end()
        })
        .finally(() => (isAsking = false))
    }, LONG_MS).unref()
    return () => clearInterval(timer)
  }
}
