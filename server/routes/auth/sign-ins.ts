// The sign-ins of a user: where, and ending them.
import { endpoints } from '../../../contract/endpoints.ts'
import { describeUserAgent } from '../../auth/user-agent.ts'
import type { Tx } from '../../database/connection.ts'
import { requireFreshSignIn } from '../../auth/reauthentication.ts'
import { afterSessionsEnded, endSessions } from '../../auth/end-sessions.ts'
import { notFound } from '../../errors/http-error.ts'
import { findPage } from '../../http/list-query.ts'
import { publicRoute, userRoute } from '../../http/route.ts'
import { sha256 } from '../../hash.ts'
import { mailDeviceCleared } from './security-mails.ts'

const DAY_MS = 86_400_000

/** How long a lost device is listed. */
const LOST_DAYS = 60

/**
 * `GET /api/v1/sign-ins`: a page of the sessions that have not ended, the last used first; with
 * `filters[states][]=lost` those of lost devices, too.
 */
export const listSignIns = userRoute(
  endpoints.listSignIns,
  async ({ services, tx, user, query }) => {
    const expired = services.tokens.expiredBefore()
    const lostAfter = new Date(services.now().getTime() - LOST_DAYS * DAY_MS).toISOString()
    const states = query.filters?.states ?? ['active']
    const listed = tx
      .selectFrom('token_families')
      .select(['id', 'user_agent', 'network', 'created_at', 'last_used_at'])
      .select(['lost_at', 'cleared_at', 'unsent'])
      .where('user_id', '=', user.id)
      .where((is) =>
        is.or([
          is.and([
            is.val(states.includes('active')),
            is('revoked_at', 'is', null),
            is('last_used_at', '>=', expired.last_used_at),
            is('created_at', '>=', expired.created_at),
          ]),
          is.and([is.val(states.includes('lost')), is('lost_at', '>=', lostAfter)]),
        ]),
      )
    return findPage(listed, {
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

/**
 * `POST /api/v1/sign-ins/{id}/lost`: 204, ends another session of the user as that of a lost device, and its
 * notifications. 403 with code `reauthentication_required` without a fresh sign-in; 404, also for the present one.
 */
export const reportLostDevice = userRoute(
  endpoints.reportLostDevice,
  async ({ services, tx, user, path, now }) => {
    requireFreshSignIn(user, services.now())
    const { numUpdatedRows } = await tx
      .updateTable('token_families')
      .set({ revoked_at: now, lost_at: now })
      .where('id', '=', path.id)
      .where('id', '!=', user.family_id)
      .where('user_id', '=', user.id)
      .where('lost_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw notFound()
    await afterSessionsEnded(tx, user.id)
  },
)

/** `DELETE /api/v1/sign-ins/{id}`: 204, ends one of the user's sessions, and its notifications. 404. */
export const endSignIn = userRoute(endpoints.endSignIn, async ({ tx, user, path, now }) => {
  const { numUpdatedRows } = await tx
    .updateTable('token_families')
    .set({ revoked_at: now })
    .where('id', '=', path.id)
    .where('user_id', '=', user.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw notFound()
  await afterSessionsEnded(tx, user.id)
})

/**
 * `DELETE /api/v1/sign-ins`: 204, ends all of the user's sessions but this one, and their notifications.
 */
export const endOtherSignIns = userRoute(endpoints.endOtherSignIns, async ({ tx, user, now }) => {
  await endSessions(tx, user.id, now, user.family_id)
})

/**
 * `POST /api/v1/revoke`: 204, ends the session of a revocation secret or a refresh token, as a sign-out does. The same
 * for an unknown one, whose session has ended (RFC 7009, section 2.2). With `unsent`, a lost device has deleted its
 * data: its owner gets a mail with the number of unsent changes.
 */
export const revokeSession = publicRoute(
  endpoints.revokeSession,
  async ({ services, body, request_id }) => {
    const { database, tokens } = services
    const now = services.now()
    const at = now.toISOString()
    await database.auth(async (tx) => {
      const hasSecret = 'revocation_secret' in body
      const family_id = hasSecret
        ? tokens.findRevocable(body.revocation_secret)
        : await findFamily(tx, body.refresh_token)
      if (family_id === undefined) return
      const ended = await tx
        .updateTable('token_families')
        .set({ revoked_at: at })
        .where('revoked_at', 'is', null)
        .where('id', '=', family_id)
        .returning('user_id')
        .executeTakeFirst()
      if (ended) await afterSessionsEnded(tx, ended.user_id)
      if (!hasSecret || body.unsent === undefined) return
      const { unsent } = body
      const cleared = await tx
        .updateTable('token_families')
        .set({ cleared_at: at, unsent })
        .where('id', '=', family_id)
        .where('lost_at', 'is not', null)
        .where('cleared_at', 'is', null)
        .returning(['user_id', 'user_agent'])
        .executeTakeFirst()
      if (cleared) await mailDeviceCleared({ services, tx, now, request_id }, cleared, unsent)
    })
    void services.mail.deliver()
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
