// Push subscriptions: the browsers in which a user gets notifications.
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../contract/endpoints.ts'
import { invalid } from '../errors/http-error.ts'
import { userRoute } from '../http/route.ts'

/** Per user. A further subscription replaces the oldest one. */
const MAX_SUBSCRIPTIONS = 10

/**
 * `POST /api/v1/push-subscriptions`: 201, also when the browser is already subscribed. 422 for an endpoint
 * of a push service that is not allowed.
 */
export const createPushSubscription = userRoute(
  endpoints.createPushSubscription,
  async ({ services, tx, user, body, now }) => {
    const { endpoint, keys } = body
    if (!services.push?.isAllowedEndpoint(endpoint))
      throw invalid({ endpoint: ['Notifications are not sent to this push service.'] })
    // A browser has one endpoint for all its users: the last user who subscribed gets the notifications. The keys
    // prove that it is that browser, because only it knows them.
    const { id: user_id, family_id } = user
    const columns = { user_id, family_id, p256dh: keys.p256dh, auth: keys.auth, created_at: now }
    const data = await tx
      .insertInto('push_subscriptions')
      .values({ id: uuidv7(), endpoint, ...columns })
      .onConflict((conflict) =>
        conflict
          .column('endpoint')
          .doUpdateSet(columns)
          .where((row) =>
            row.or([
              row('push_subscriptions.user_id', '=', user.id),
              row.and([
                row('push_subscriptions.p256dh', '=', keys.p256dh),
                row('push_subscriptions.auth', '=', keys.auth),
              ]),
            ]),
          ),
      )
      .returning(['id', 'endpoint', 'created_at'])
      .executeTakeFirst()
    if (!data) throw invalid({ keys: ['These are not the keys of this subscription.'] })
    await tx
      .deleteFrom('push_subscriptions')
      .where('id', 'in', (rows) =>
        rows
          .selectFrom('push_subscriptions')
          .select('id')
          .where('user_id', '=', user.id)
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .offset(MAX_SUBSCRIPTIONS),
      )
      .execute()
    return { data }
  },
)

/**
 * `DELETE /api/v1/push-subscriptions`: 204, also when there is no subscription with this `endpoint`.
 */
export const deletePushSubscription = userRoute(
  endpoints.deletePushSubscription,
  async ({ tx, user, body }) => {
    await tx
      .deleteFrom('push_subscriptions')
      .where('user_id', '=', user.id)
      .where('endpoint', '=', body.endpoint)
      .execute()
  },
)
