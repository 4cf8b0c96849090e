// The link that makes a superadmin: printed to the operator at a first start, and by the admin command.
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import { newToken } from '../auth/tokens.ts'
import { sha256 } from '../hash.ts'

const HOUR_MS = 3_600_000
/** How long a link is good. */
export const SETUP_HOURS = 24

/** Makes a link and returns its token. Earlier ones stay good: several processes may start at once. */
export async function createSetupLink(tx: Tx, now: Date): Promise<string> {
  const token = newToken()
  await tx.deleteFrom('setup_links').where('expires_at', '<', now.toISOString()).execute()
  await tx
    .insertInto('setup_links')
    .values({
      token_hash: sha256(token),
      expires_at: new Date(now.getTime() + SETUP_HOURS * HOUR_MS).toISOString(),
    })
    .execute()
  return token
}

/** The token of a new link while there is no account; undefined once there is one. */
export const createFirstSetupLink = (database: Database, now: Date): Promise<string | undefined> =>
  database.auth(async (tx) => {
    const user = await tx.selectFrom('users').select('id').limit(1).executeTakeFirst()
    return user ? undefined : createSetupLink(tx, now)
  })

/** Whether the token is that of a link which is still good. `now`: ISO 8601. */
export async function isSetupLink(tx: Tx, token: string, now: string): Promise<boolean> {
  const found = await tx
    .selectFrom('setup_links')
    .select('token_hash')
    .where('token_hash', '=', sha256(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return found !== undefined
}

/** Uses a link up, and every other one with it. False when it is no longer good. `now`: ISO 8601. */
export async function useSetupLink(tx: Tx, token: string, now: string): Promise<boolean> {
  const isGood = await isSetupLink(tx, token, now)
  // Of two concurrent users one deletes the rows, and the other one waits and finds none.
  const { numDeletedRows } = await tx.deleteFrom('setup_links').executeTakeFirst()
  return isGood && numDeletedRows > 0n
}
