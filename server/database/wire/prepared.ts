// Look-ups are prepared once in each session of PostgreSQL, which then does not plan them each time.
import type { PoolClient } from 'pg'
import { log } from '../../log.ts'
import type { Opening } from '../connection.ts'

/**
 * SQLSTATEs by which PostgreSQL refuses a prepared statement: it is unknown or known already in the session, which a
 * pooler has given to another client meanwhile; or a migration has changed what it returns.
 */
export const REFUSED_STATES = ['26000', '42P05', '0A000']

/** The statements that the sessions of one process have prepared. */
export class PreparedStatements {
  #isOn: boolean
  readonly #prepared = new WeakMap<PoolClient, Set<string>>()

  constructor(isOn: boolean) {
    this.#isOn = isOn
  }

  /** The statements as texts, after their preparation. */
  async textsOf(client: PoolClient, opening: Opening): Promise<string[]> {
    const known = this.#prepared.get(client) ?? new Set()
    this.#prepared.set(client, known)
    const texts: string[] = []
    for (const one of opening) {
      if (typeof one === 'string') texts.push(one)
      else if (!this.#isOn) texts.push(one.sql)
      else {
        if (!known.has(one.name)) await client.query(one.prepare)
        known.add(one.name)
        texts.push(one.execute)
      }
    }
    return texts
  }

  /** Prepares nothing any more after an error that refuses a prepared statement. */
  meetError(sqlState: string | undefined): void {
    if (!this.#isOn || sqlState === undefined || !REFUSED_STATES.includes(sqlState)) return
    this.#isOn = false
    log('info', 'prepared statements off', { code: sqlState })
  }
}
