// The billing state of organisations, fetched from Stripe and stored. An organisation's plan follows from it.
import type { ExpressionBuilder } from 'kysely'
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import { errorFields, log } from '../log.ts'
import { markChanged } from '../database/change-bus.ts'
import type { Tables } from '../database/tables.ts'
import type { StripeClient, BillingState } from '../integrations/stripe.ts'
import { isUuid } from '../../contract/schemas/fields.ts'

interface BillingContext {
  database: Database
  stripe: StripeClient
  now: () => Date
}

/** The Stripe customer of an organisation; undefined when it has none. */
export const findCustomer = (tx: Tx, organisation_id: string) =>
  tx
    .selectFrom('stripe_customers')
    .selectAll()
    .where('organisation_id', '=', organisation_id)
    .executeTakeFirst()

/** The condition that the organisation has no running built-in subscription, which would keep its plan. */
export const runsNoBuiltIn =
  (organisation_id: string, now: string) => (row: ExpressionBuilder<Tables, 'organisations'>) =>
    row.not(
      row.exists(
        row
          .selectFrom('subscriptions')
          .select('started_at')
          .where('organisation_id', '=', organisation_id)
          .where((its) => its.or([its('ends_at', 'is', null), its('ends_at', '>', now)])),
      ),
    )

/**
 * Fetches the state from Stripe and stores it, in one transaction with `inSameTransaction`, unless a call that began
 * later has stored its own: that cannot be older. One that began later and fails takes nothing from it. Returns
 * undefined when the organisation is no customer. Throws a 503 HttpError when Stripe does not respond.
 */
export async function refreshBillingState(
  { database, stripe, now }: BillingContext,
  organisation_id: string,
  inSameTransaction?: (tx: Tx) => Promise<unknown>,
): Promise<BillingState | undefined> {
  const claimed = await database.system((tx) =>
    tx
      .updateTable('stripe_customers')
      .set((row) => ({ request_seq: row('request_seq', '+', 1) }))
      .where('organisation_id', '=', organisation_id)
      .returning(['customer_id', 'request_seq'])
      .executeTakeFirst(),
  )
  if (!claimed) return undefined
  const { customer_id, request_seq } = claimed
  const state = await stripe.fetchBillingState(customer_id)
  await database.system(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('stripe_customers')
      .set({ ...state, stored_seq: request_seq })
      .where('organisation_id', '=', organisation_id)
      .where('customer_id', '=', customer_id)
      .where('stored_seq', '<', request_seq)
      .executeTakeFirst()
    await inSameTransaction?.(tx)
    if (numUpdatedRows > 0n) await applyEntitlement(tx, organisation_id, state, now())
  })
  return state
}

async function applyEntitlement(tx: Tx, id: string, { entitled_until }: BillingState, now: Date) {
  const at = now.toISOString()
  const isEntitled = entitled_until !== null && entitled_until > at
  const plan = isEntitled ? 'professional' : 'free'
  const { numUpdatedRows } = await tx
    .updateTable('organisations')
    .set({ plan, updated_at: at })
    .where('id', '=', id)
    .where('plan', '!=', plan)
    .$if(!isEntitled, (update) => update.where(runsNoBuiltIn(id, at)))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) markChanged(tx, id)
}

/** Notes that the owner is sent to pay, for `reconcileBilling`. */
export const noteCheckout = (tx: Tx, organisation_id: string, now: string): Promise<unknown> =>
  tx
    .updateTable('stripe_customers')
    .set({ checkout_at: now })
    .where('organisation_id', '=', organisation_id)
    .execute()

/**
 * Handles an event of Stripe once: refreshes the state of its organisation, whatever the event says. Throws a
 * 503 HttpError when Stripe does not respond, so that Stripe sends the event again.
 */
export async function handleStripeEvent(
  context: BillingContext,
  event: { id: string; organisation_id: string | undefined },
): Promise<void> {
  const { id, organisation_id = '' } = event
  const { database, now } = context
  const markReceived = (tx: Tx) =>
    tx
      .insertInto('stripe_events')
      .values({ id, received_at: now().toISOString() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  const known = await database.system((tx) =>
    tx.selectFrom('stripe_events').select('id').where('id', '=', id).executeTakeFirst(),
  )
  if (known || !isUuid(organisation_id)) return
  await refreshBillingState(context, organisation_id, markReceived)
}

/** Some ways to pay take days. */
const CHECKOUT_MS = 7 * 86_400_000

/**
 * Refreshes organisations whose paid period is over, and those that were sent to pay a short time ago, because an event
 * may have been lost, and cancels the subscriptions of deleted organisations. Failures are logged and retried at the
 * next run.
 */
export async function reconcileBilling(context: BillingContext): Promise<void> {
  const { database, stripe, now } = context
  const at = now().toISOString()
  const checkoutsSince = new Date(now().getTime() - CHECKOUT_MS).toISOString()
  const rows = await database.system((tx) =>
    tx
      .selectFrom('stripe_customers')
      .leftJoin('organisations', 'organisations.id', 'stripe_customers.organisation_id')
      .select(['organisation_id', 'customer_id', 'organisations.id'])
      .where((row) =>
        row.or([
          row('organisations.id', 'is', null),
          row('current_period_end', '<=', at),
          row('entitled_until', '<=', at),
          row.and([row('status', '=', 'none'), row('checkout_at', '>', checkoutsSince)]),
        ]),
      )
      .execute(),
  )
  for (const { organisation_id, customer_id, id } of rows)
    try {
      if (id !== null) await refreshBillingState(context, organisation_id)
      else {
        await stripe.cancel(customer_id)
        await database.system((tx) =>
          tx
            .deleteFrom('stripe_customers')
            .where('organisation_id', '=', organisation_id)
            .execute(),
        )
      }
    } catch (error) {
      log('error', 'billing state not reconciled', { organisation_id, ...errorFields(error) })
    }
}
