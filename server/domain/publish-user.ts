// Publishes what other members see of a user: name, address and picture.
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import { errorFields, log } from '../log.ts'
import { findOrganisation, nextVersion } from './organisation.ts'

/** To be called in the transaction of the change: a process may end before it has published it. */
export async function noteUnpublished(tx: Tx, user_id: string): Promise<void> {
  const change_id = uuidv7()
  await tx
    .insertInto('unpublished_users')
    .values({ user_id, change_id })
    .onConflict((row) => row.column('user_id').doUpdateSet({ change_id }))
    .execute()
}

/**
 * Publishes a committed change of the user to other members, as a change of each membership. It runs after the change,
 * in a transaction for each organisation, so that the user's row is not locked while it waits for all of them.
 */
export async function publishUser(database: Database, user_id: string): Promise<void> {
  const { change_id, organisations } = await database.auth(async (tx) => ({
    change_id: (await findUnpublished(tx).where('user_id', '=', user_id).executeTakeFirst())
      ?.change_id,
    organisations: await tx
      .selectFrom('organisation_users')
      .select('organisation_id as id')
      .where('user_id', '=', user_id)
      .execute(),
  }))
  let isDone = true
  for (const { id } of organisations) {
    const publish = database.tenant(id, (tx) => renewMembership(tx, id, user_id), user_id, 'write')
    await publish.catch((error: unknown) => {
      isDone = false
      log('error', 'change of a user not published', { user_id, ...errorFields(error) })
    })
  }
  if (!isDone || change_id === undefined) return
  await database.auth((tx) =>
    tx
      .deleteFrom('unpublished_users')
      .where('user_id', '=', user_id)
      .where('change_id', '=', change_id)
      .execute(),
  )
}

/** Publishes what processes have left that ended, or could not write. */
export async function publishUsers(database: Database): Promise<void> {
  const users = await database.auth((tx) => findUnpublished(tx).execute())
  for (const { user_id } of users) await publishUser(database, user_id)
}

const findUnpublished = (tx: Tx) => tx.selectFrom('unpublished_users').selectAll()

async function renewMembership(tx: Tx, organisation_id: string, user_id: string): Promise<void> {
  // Nothing when it has ended meanwhile.
  if (!(await findOrganisation(tx, user_id, organisation_id))) return
  await tx
    .updateTable('organisation_users')
    .set({ version: await nextVersion(tx, organisation_id) })
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user_id)
    .execute()
}
