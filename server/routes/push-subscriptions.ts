// In which browsers somebody is notified.
import { v7 as uuidv7 } from 'uuid'
import { endpoints } from '../../contract/endpoints.ts'
import { invalid } from '../errors/http-error.ts'
import { userRoute } from '../http/route.ts'

/** Of so many browsers each of us may be told; the one that was first is forgotten for another. */
const MAX_SUBSCRIPTIONS = 10

export const createPushSubscription = userRoute(
  endpoints.createPushSubscription,
  async ({ services, tx, user, body, now }) => {
    const { endpoint, keys } = body
    if (!services.push?.isAllowedEndpoint(endpoint))
      throw invalid({ endpoint: ['Notifications are not sent to this push service.'] })
    // A browser has one of them, whoever is signed in: the last one who asked is told.
    const columns = { user_id: user.id, p256dh: keys.p256dh, auth: keys.auth, created_at: now }
    const data = await tx
      .insertInto('push_subscriptions')
      .values({ id: uuidv7(), endpoint, ...columns })
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(columns))
      .returning(['id', 'endpoint', 'created_at'])
      .executeTakeFirstOrThrow()
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
