// Subscriptions: built-in ones, which run by the month and cost nothing, and those at Stripe.
import { limitsOf } from '../../contract/roles.ts'
import type { Tx } from '../database/connection.ts'
import { markChanged } from '../database/change-bus.ts'
import { countUsage } from './plan-limits.ts'
import { findCustomer, runsNoBuiltIn } from './billing-state.ts'

/**
 * First instant after `now` that is a whole number of months after `start`, in UTC; the 31st becomes
 * the last day of a shorter month.
 */
function periodEnd(start: string, now: string): string {
  const first = new Date(start)
  for (let months = 1; ; months += 1) {
    const end = new Date(first)
    end.setUTCDate(1)
    end.setUTCMonth(first.getUTCMonth() + months)
    const last = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
    end.setUTCDate(Math.min(first.getUTCDate(), last))
    if (end.toISOString() > now) return end.toISOString()
  }
}

/**
 * Sets organisations with an ended subscription to the free plan. Their records stay, even above the new limits. With
 * Stripe an organisation keeps its plan until both have ended, what was paid there and a built-in subscription;
 * without it, what is stored about customers of Stripe is ignored.
 */
export async function expireSubscriptions(
  tx: Tx,
  { now, usesStripe }: { now: string; usesStripe: boolean },
): Promise<void> {
  const ended = await tx
    .deleteFrom('subscriptions')
    .where('ends_at', '<=', now)
    .returning('organisation_id')
    .execute()
  const unpaid = usesStripe
    ? await tx
        .selectFrom('stripe_customers')
        .select('organisation_id')
        .where('entitled_until', '<=', now)
        .execute()
    : []
  for (const { organisation_id } of [...ended, ...unpaid]) {
    const { numUpdatedRows } = await tx
      .updateTable('organisations')
      .set({ plan: 'free', updated_at: now })
      .where('id', '=', organisation_id)
      .where('plan', '!=', 'free')
      .where(runsNoBuiltIn(organisation_id, now))
      .$if(usesStripe, (update) =>
        update.where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('stripe_customers')
                .select('customer_id')
                .where('organisation_id', '=', organisation_id)
                .where('entitled_until', '>', now),
            ),
          ),
        ),
      )
      .executeTakeFirst()
    if (numUpdatedRows > 0n) markChanged(tx, organisation_id)
  }
}

/** Ends the built-in subscription with the month that runs. Does nothing where there is none, or it ends already. */
export async function endBuiltIn(tx: Tx, organisation_id: string, now: string): Promise<void> {
  const stored = await tx
    .selectFrom('subscriptions')
    .select('started_at')
    .where('organisation_id', '=', organisation_id)
    .where('ends_at', 'is', null)
    .executeTakeFirst()
  if (!stored) return
  await tx
    .updateTable('subscriptions')
    .set({ ends_at: periodEnd(stored.started_at, now) })
    .where('organisation_id', '=', organisation_id)
    .execute()
}

/**
 * An organisation's subscription as the contract's `Subscription`, with limits and usage. One that has ended since the
 * last hourly run counts as ended already; nothing is written, so that it can be read on a full disk.
 */
export async function presentSubscription(
  tx: Tx,
  id: string,
  { now, usesStripe }: { now: string; usesStripe: boolean },
) {
  const organisation = await tx
    .selectFrom('organisations')
    .select('plan')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const builtIn = await findBuiltIn(tx, id)
  const customer = usesStripe ? await findCustomer(tx, id) : undefined
  // As in `expireSubscriptions`.
  const ends = [builtIn && (builtIn.ends_at ?? NEVER), customer?.entitled_until]
  const paidUntil = ends.filter((end) => end !== undefined && end !== null)
  const hasEnded = paidUntil.length > 0 && paidUntil.every((end) => end <= now)
  const plan = hasEnded ? 'free' : organisation.plan
  const usage = {
    members: await countUsage(tx, id, 'members'),
    active_success_plans: await countUsage(tx, id, 'active_success_plans'),
    accounts: await countUsage(tx, id, 'accounts'),
    templates: await countUsage(tx, id, 'templates'),
  }
  const state = stateOf(customer, now) ?? builtInState(builtIn, now)
  return { plan, ...state, seats: usage.members, limits: limitsOf(plan), usage }
}

/** After every instant, as text. */
const NEVER = '9999'

const findBuiltIn = (tx: Tx, organisation_id: string) =>
  tx
    .selectFrom('subscriptions')
    .selectAll()
    .where('organisation_id', '=', organisation_id)
    .executeTakeFirst()

function builtInState(stored: Awaited<ReturnType<typeof findBuiltIn>>, now: string) {
  if (!stored || (stored.ends_at !== null && stored.ends_at <= now))
    return { status: 'none', current_period_end: null, ends_at: null }
  const { started_at, ends_at } = stored
  return {
    status: ends_at === null ? 'active' : 'cancelled',
    current_period_end: ends_at ?? periodEnd(started_at, now),
    ends_at,
  }
}

/** That of a subscription at Stripe; undefined without one, where that of the time before counts. */
function stateOf(customer: Awaited<ReturnType<typeof findCustomer>>, now: string) {
  if (!customer || customer.status === 'none') return undefined
  const { status, current_period_end, ends_at } = customer
  if (ends_at !== null && ends_at <= now) return undefined
  return { status, current_period_end, ends_at }
}
