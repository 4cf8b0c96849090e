// What an organisation pays for: its owner's business.
import { endpoints } from '../../contract/endpoints.ts'
import { isOwner } from '../../contract/roles.ts'
import { PORTAL } from '../billing-portal.ts'
import { forbidden } from '../refusal.ts'
import { forMembers, type Bound } from '../route.ts'
import { endSubscriptions, periodEnd, presentSubscription } from '../subscriptions.ts'
import { downgradeByStripe, showPortal, upgradeByStripe } from './stripe.ts'

/** As long as no payment provider is configured, the server keeps the subscription itself. */
const either = (here: Bound, byStripe: Bound): Bound => ({
  row: here.row,
  respond: (services, context) => (services.stripe ? byStripe : here).respond(services, context),
})

export const getSubscription = forMembers(
  endpoints.getSubscription,
  async ({ tx, user, organisation, now, services }) => {
    if (!isOwner(user, organisation)) throw forbidden()
    const isStripes = services.stripe !== undefined
    return { data: await presentSubscription(tx, organisation.id, { now, isStripes }) }
  },
)

const upgradeHere = forMembers(
  endpoints.createSubscription,
  async ({ tx, user, organisation, body, now }) => {
    if (!isOwner(user, organisation)) throw forbidden()
    // One that was to end goes on as it was.
    await endSubscriptions(tx, now)
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
    return { data: await presentSubscription(tx, organisation.id, { now, isStripes: false }) }
  },
)

const downgradeHere = forMembers(
  endpoints.deleteSubscription,
  async ({ tx, user, organisation, now }) => {
    if (!isOwner(user, organisation)) throw forbidden()
    const stored = await tx
      .selectFrom('subscriptions')
      .selectAll()
      .where('organisation_id', '=', organisation.id)
      .executeTakeFirst()
    if (!stored) return
    await tx
      .updateTable('subscriptions')
      .set({ ends_at: stored.ends_at ?? periodEnd(stored.started_at, now) })
      .where('organisation_id', '=', organisation.id)
      .execute()
  },
)

const showNoPortal = forMembers(
  endpoints.getCustomerPortal,
  async ({ user, organisation, services }) => {
    if (!isOwner(user, organisation)) throw forbidden()
    return { data: { url: `${services.publicUrl()}${PORTAL}` } }
  },
)

export const createSubscription = either(upgradeHere, upgradeByStripe)
export const deleteSubscription = either(downgradeHere, downgradeByStripe)
export const getCustomerPortal = either(showNoPortal, showPortal)
