// The subscription of an organisation. Only its owner has access.
import { endpoints } from '../../../contract/endpoints.ts'
import { isOwner } from '../../../contract/roles.ts'
import { PORTAL_PATH } from './portal-page.ts'
import { forbidden } from '../../errors/http-error.ts'
import { memberRoute, type RouteHandler } from '../../http/route.ts'
import { endBuiltIn, expireSubscriptions, presentSubscription } from '../../domain/subscriptions.ts'
import { downgradeByStripe, showPortal, upgradeByStripe } from './stripe-subscriptions.ts'

/** Uses Stripe when it is configured, else the built-in subscriptions, which are free. */
const byProvider = (builtIn: RouteHandler, byStripe: RouteHandler): RouteHandler => ({
  row: builtIn.row,
  respond: (services, context) => (services.stripe ? byStripe : builtIn).respond(services, context),
})

/**
 * `GET /api/v1/subscriptions`: plan, status, limits and usage. 403 unless the caller owns the
 * organisation.
 */
export const getSubscription = memberRoute(
  endpoints.getSubscription,
  async ({ tx, user, organisation, now, services }) => {
    if (!isOwner(user, organisation)) throw forbidden()
    const usesStripe = services.stripe !== undefined
    return { data: await presentSubscription(tx, organisation.id, { now, usesStripe }) }
  },
)

const upgradeBuiltIn = memberRoute(
  endpoints.createSubscription,
  async ({ tx, user, organisation, body, now }) => {
    if (!isOwner(user, organisation)) throw forbidden()
    // Deletes a subscription that has ended; one that is still running loses its end date below.
    await expireSubscriptions(tx, { now, usesStripe: false })
    await tx
      .insertInto('subscriptions')
      .values({ organisation_id: organisation.id, started_at: now })
      .onConflict((conflict) => conflict.column('organisation_id').doUpdateSet({ ends_at: null }))
      .execute()
    await tx
      .updateTable('organisations')
      .set({ plan: body.plan, updated_at: now })
      .where('id', '=', organisation.id)
      .execute()
    return { data: await presentSubscription(tx, organisation.id, { now, usesStripe: false }) }
  },
)

const downgradeBuiltIn = memberRoute(
  endpoints.deleteSubscription,
  async ({ tx, user, organisation, now }) => {
    if (!isOwner(user, organisation)) throw forbidden()
    await endBuiltIn(tx, organisation.id, now)
  },
)

const showBuiltInPortal = memberRoute(
  endpoints.getCustomerPortal,
  async ({ user, organisation, services }) => {
    if (!isOwner(user, organisation)) throw forbidden()
    return { data: { url: `${services.publicUrl()}${PORTAL_PATH}` } }
  },
)

/**
 * `POST /api/v1/subscriptions`: upgrades, see `upgradeByStripe`. 403 unless the caller owns the
 * organisation.
 */
export const createSubscription = byProvider(upgradeBuiltIn, upgradeByStripe)
/**
 * `DELETE /api/v1/subscriptions`: 204, downgrades at the end of the period. 403 unless the caller owns the
 * organisation.
 */
export const deleteSubscription = byProvider(downgradeBuiltIn, downgradeByStripe)
/**
 * `GET /api/v1/subscriptions/customer-portal`: the `url` of the portal. 403 unless the caller owns the
 * organisation.
 */
export const getCustomerPortal = byProvider(showBuiltInPortal, showPortal)
