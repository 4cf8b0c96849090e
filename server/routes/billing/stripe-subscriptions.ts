// Subscriptions when Stripe is configured.
import { endpoints } from '../../../contract/endpoints.ts'
import { isOwner } from '../../../contract/roles.ts'
import type { Tx } from '../../database/connection.ts'
import type { StripeClient } from '../../integrations/stripe.ts'
import { forbidden } from '../../errors/http-error.ts'
import { memberRouteNoTx } from '../../http/route-no-tx.ts'
import { notAMember, type OrganisationScope } from '../../domain/organisation.ts'
import type { Services } from '../../http/services.ts'
import { findCustomer, noteCheckout, refreshBillingState } from '../../domain/billing-state.ts'
import { endBuiltIn, expireSubscriptions, presentSubscription } from '../../domain/subscriptions.ts'

interface BillingCall {
  services: Services
  user: { id: string; superadmin: boolean }
  organisation: OrganisationScope
}

/** Stripe and the URL that it returns to. Throws a 403 HttpError unless the caller owns the organisation. */
function requireBilling({ services, user, organisation }: BillingCall) {
  if (!isOwner(user, organisation)) throw forbidden()
  const { stripe, database, now } = services
  if (!stripe) throw new Error('Stripe is not configured.')
  const returnUrl = `${services.publicUrl()}/settings/organisation/billing`
  return { stripe, database, now, returnUrl }
}

/** The id of the organisation's Stripe customer, which is created at the first use. */
async function requireCustomer(
  { services, organisation }: BillingCall,
  stripe: StripeClient,
): Promise<string> {
  const { database } = services
  const { id } = organisation
  const { customer, payer } = await database.tenant(id, async (tx) => ({
    payer: await requirePayer(payerOf(tx, organisation)),
    customer: await findCustomer(tx, id),
  }))
  if (customer) return customer.customer_id
  const { first_version } = organisation
  const made = await stripe.createCustomer({ organisation_id: id, first_version, ...payer })
  return database.tenant(id, async (tx) => {
    // Stripe may have taken long: the id may be another organisation's by now. Locked, so that it is not deleted
    // either.
    await requirePayer(payerOf(tx, organisation).forKeyShare('organisations'))
    await tx
      .insertInto('stripe_customers')
      .values({ organisation_id: id, customer_id: made })
      .onConflict((conflict) => conflict.column('organisation_id').doNothing())
      .execute()
    return (await findCustomer(tx, id))?.customer_id ?? made
  })
}

/** Who pays for the organisation. */
const payerOf = (tx: Tx, { id, user_id, first_version }: OrganisationScope) =>
  tx
    .selectFrom('organisations')
    .innerJoin('users', (join) => join.on('users.id', '=', user_id))
    .select(['organisations.name', 'users.email'])
    .where('organisations.id', '=', id)
    .where('organisations.first_version', '=', first_version)

/** Throws a 403 HttpError where the organisation was deleted. */
async function requirePayer(payers: ReturnType<typeof payerOf>) {
  const payer = await payers.executeTakeFirst()
  if (!payer) throw notAMember()
  return payer
}

/**
 * `POST /api/v1/subscriptions`: the subscription, and the `url` of a page to pay on when payment is
 * needed. 403 unless the caller owns the organisation, 503.
 */
export const upgradeByStripe = memberRouteNoTx(endpoints.createSubscription, async (call) => {
  const { stripe, returnUrl, ...context } = requireBilling(call)
  const { id } = call.organisation
  const customer = await requireCustomer(call, stripe)
  let state = await refreshBillingState({ stripe, ...context }, id)
  if (state?.status === 'cancelled') {
    // Undoes the cancellation of a subscription that is still running.
    await stripe.setCancelAtPeriodEnd(customer, false)
    state = await refreshBillingState({ stripe, ...context }, id)
  }
  const data = await context.database.tenant(id, async (tx) => {
    const at = { now: call.now, usesStripe: true }
    await expireSubscriptions(tx, at)
    return presentSubscription(tx, id, at)
  })
  if (state?.status === 'none') {
    await context.database.tenant(id, (tx) => noteCheckout(tx, id, call.now))
    return { data, url: await stripe.checkout(customer, id, returnUrl) }
  }
  // An overdue invoice is paid in the portal.
  if (state?.status === 'past_due') return { data, url: await stripe.portal(customer, returnUrl) }
  return { data }
})

/**
 * `DELETE /api/v1/subscriptions`: 204, cancels at the end of the paid period, and ends a built-in subscription of
 * before Stripe was configured. 403 unless the caller owns the organisation, 503.
 */
export const downgradeByStripe = memberRouteNoTx(endpoints.deleteSubscription, async (call) => {
  const { stripe, returnUrl: _, ...context } = requireBilling(call)
  const { id } = call.organisation
  const customer = await context.database.tenant(id, (tx) => findCustomer(tx, id))
  if (customer) {
    await stripe.setCancelAtPeriodEnd(customer.customer_id, true)
    await refreshBillingState({ stripe, ...context }, id)
  }
  await context.database.tenant(id, (tx) => endBuiltIn(tx, id, call.now))
})

/**
 * `GET /api/v1/subscriptions/customer-portal`: the `url` of Stripe's customer portal. 403 unless the
 * caller owns the organisation, 503.
 */
export const showPortal = memberRouteNoTx(endpoints.getCustomerPortal, async (call) => {
  const { stripe, returnUrl } = requireBilling(call)
  const customer = await requireCustomer(call, stripe)
  return { data: { url: await stripe.portal(customer, returnUrl) } }
})
