// The signed-in user.
import type { Selectable } from 'kysely'
import { endpoints } from '../../../contract/endpoints.ts'
import { invalid } from '../../errors/http-error.ts'
import { userRoute } from '../../http/route.ts'
import { nextVersion } from '../../domain/organisation.ts'
import type { Tables } from '../../database/tables.ts'

/** A row as the contract's `User`. */
export const presentUser = (row: Selectable<Tables['users']>) => ({
  ...row,
  password_hash: undefined,
})

/** `GET /api/v1/userinfo`: the signed-in user. */
export const getUserinfo = userRoute(endpoints.getUserinfo, async ({ user }) => ({
  data: presentUser(user),
}))

/** `PUT /api/v1/userinfo`: changes the named fields. 422 for an address that is taken. */
export const updateUserinfo = userRoute(
  endpoints.updateUserinfo,
  async ({ tx, user, body, now }) => {
    if (body.email !== undefined && body.email !== user.email) {
      const existing = await tx
        .selectFrom('users')
        .select('id')
        .where('email', '=', body.email)
        .executeTakeFirst()
      if (existing) throw invalid({ email: ['This email address is taken.'] })
      // Reset links were mailed to the old address, and must not verify the new one.
      await tx.deleteFrom('password_resets').where('user_id', '=', user.id).execute()
    }
    const changed = await tx
      .updateTable('users')
      .set({ ...body, updated_at: now })
      .where('id', '=', user.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    // Other members see the change as one of the membership. Ordered by id, so that concurrent writes cannot
    // deadlock.
    const memberships = await tx
      .selectFrom('organisation_users')
      .select(['organisation_id', 'id'])
      .where('user_id', '=', user.id)
      .orderBy('organisation_id')
      .execute()
    for (const { organisation_id, id } of memberships) {
      await tx
        .updateTable('organisation_users')
        .set({ version: await nextVersion(tx, organisation_id) })
        .where('organisation_id', '=', organisation_id)
        .where('id', '=', id)
        .execute()
    }
    return { data: presentUser(changed) }
  },
)
