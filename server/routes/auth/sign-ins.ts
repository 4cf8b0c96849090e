// The sign-ins of a user: where, and ending them.
import { endpoints } from '../../../contract/endpoints.ts'
import { describeUserAgent } from '../../auth/user-agent.ts'
import type { Tx } from '../../database/connection.ts'
import { endSessions } from '../../auth/verified-email.ts'
import { notFound } from '../../errors/http-error.ts'
import { findPage } from '../../http/list-query.ts'
import { publicRoute, userRoute } from '../../http/route.ts'
import { sha256 } from '../../hash.ts'

/** `GET /api/v1/sign-ins`: a page of the sessions that have not ended, the last used first. */
export const listSignIns = userRoute(
  endpoints.listSignIns,
  async ({ services, tx, user, query }) => {
    const expired = services.tokens.expiredBefore()
    const active = tx
      .selectFrom('token_families')
      .select(['id', 'user_agent', 'network', 'created_at', 'last_used_at'])
      .where('user_id', '=', user.id)
      .where('revoked_at', 'is', null)
      .where('last_used_at', '>=', expired.last_used_at)
      .where('created_at', '>=', expired.created_at)
    return findPage(active, {
      query,
      sort: query.sort ?? '-last_used_at',
      present: ({ user_agent, ...row }) => ({
        ...row,
        ...describeUserAgent(user_agent),
        is_current: row.id === user.family_id,
      }),
    })
  },
)

/** `DELETE /api/v1/sign-ins/{id}`: 204, ends one of the user's sessions. 404. */
export const endSignIn = userRoute(endpoints.endSignIn, async ({ tx, user, path, now }) => {
  const { numUpdatedRows } = await tx
    .updateTable('token_families')
    .set({ revoked_at: now })
    .where('id', '=', path.id)
    .where('user_id', '=', user.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw notFound()
})

/**
 * `DELETE /api/v1/sign-ins`: 204, ends all of the user's sessions but this one, and notifications on all devices:
 * this one subscribes again at its next start.
 */
export const endOtherSignIns = userRoute(endpoints.endOtherSignIns, async ({ tx, user, now }) => {
  await endSessions(tx, user.id, now, user.family_id)
  await tx.deleteFrom('push_subscriptions').where('user_id', '=', user.id).execute()
})

/**
 * `POST /api/v1/revoke`: 204, ends the session of a revocation secret or a refresh token, as a sign-out does. The same
 * for an unknown one, whose session has ended (RFC 7009, section 2.2).
 */
export const revokeSession = publicRoute(
  endpoints.revokeSession,
  async ({ services: { database, now, tokens }, body }) => {
    await database.auth(async (tx) => {
      const family_id =
        'revocation_secret' in body
          ? tokens.findRevocable(body.revocation_secret)
          : await findFamily(tx, body.refresh_token)
      if (family_id === undefined) return
      await tx
        .updateTable('token_families')
        .set({ revoked_at: now().toISOString() })
        .where('revoked_at', 'is', null)
        .where('id', '=', family_id)
        .execute()
    })
  },
)

/** The session of a refresh token; undefined for an unknown one. */
async function findFamily(tx: Tx, refresh_token: string): Promise<string | undefined> {
  const found = await tx
    .selectFrom('refresh_tokens')
    .select('family_id')
    .where('hash', '=', sha256(refresh_token))
    .executeTakeFirst()
  return found?.family_id
}
