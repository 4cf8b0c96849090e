// What creating and deleting have in common for every kind of record.
import type { CollectionName } from '../contract/changes.ts'
import type { Tx } from './database.ts'
import { invalid } from './refusal.ts'
import { nextVersion, type Scope } from './scope.ts'

type Kind = Exclude<CollectionName, 'organisation_users'>

const AUTHOR = {
  accounts: 'created_by',
  success_plans: 'created_by',
  success_plan_updates: 'user_id',
} as const

/**
 * Whether a create was done before: the id exists in the organisation, by the same author. Throws a
 * 422 Refusal when somebody else's record has the id, or when its record was deleted since.
 */
export async function storedAlready(
  tx: Tx,
  kind: Kind,
  about: { organisation: Pick<Scope, 'id'>; user: { id: string }; id: string },
): Promise<boolean> {
  const { organisation, user, id } = about
  const stored = await tx
    .selectFrom(kind)
    .where('organisation_id', '=', organisation.id)
    .where('id', '=', id)
    .select(AUTHOR[kind])
    .executeTakeFirst()
  if (stored) {
    if (Object.values(stored)[0] !== user.id) throw invalid({ id: ['This id is taken.'] })
    return true
  }
  const deleted = await tx
    .selectFrom('tombstones')
    .where('organisation_id', '=', organisation.id)
    .where('type', '=', kind)
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst()
  if (deleted) throw invalid({ id: ['The record with this id was deleted.'] })
  return false
}

/** Deletes records and leaves word of it to the devices that hold them. */
export async function bury(
  tx: Tx,
  organisation_id: string,
  type: Kind,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const version = await nextVersion(tx, organisation_id)
    await tx.insertInto('tombstones').values({ organisation_id, type, id, version }).execute()
  }
  if (ids.length > 0)
    await tx
      .deleteFrom(type)
      .where('organisation_id', '=', organisation_id)
      .where('id', 'in', ids)
      .execute()
}

/** Throws a 422 Refusal on the field when it names somebody who is not a member. */
export async function requireMember(
  tx: Tx,
  organisation_id: string,
  field: string,
  user_id: string | null | undefined,
): Promise<void> {
  if (user_id === null || user_id === undefined) return
  const member = await tx
    .selectFrom('organisation_users')
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user_id)
    .select('id')
    .executeTakeFirst()
  if (!member) throw invalid({ [field]: ['Choose a member of the organisation.'] })
}
