// What Stripe says of an organisation, kept here: the plan follows from it.
import type { Database, Tx } from './database.ts'
import { errorFields, log } from './log.ts'
import { noteMove } from './moves.ts'
import type { Billing, Standing } from './outside/stripe.ts'
import { isUuid } from './scope.ts'

interface Asking {
  database: Database
  stripe: Billing
  now: () => Date
}

/** The customer that an organisation is at Stripe; undefined when it never asked to pay. */
export const findCustomer = (tx: Tx, organisation_id: string) =>
  tx
    .selectFrom('stripe_customers')
    .selectAll()
    .where('organisation_id', '=', organisation_id)
    .executeTakeFirst()

/**
 * Asks Stripe how things stand and keeps the answer, with what `also` does, in one transaction. Of
 * several that ask at the same time, the last one's answer is kept: it cannot be older than the others'.
 * Throws a 503 Refusal when Stripe does not answer. Nothing happens for who is no customer.
 */
export async function askStanding(
  { database, stripe, now }: Asking,
  organisation_id: string,
  also: (tx: Tx) => Promise<unknown> = () => Promise.resolve(),
): Promise<Standing | undefined> {
  const asking = await database.system((tx) =>
    tx
      .updateTable('stripe_customers')
      .set((row) => ({ turn: row('turn', '+', 1) }))
      .where('organisation_id', '=', organisation_id)
      .returning(['customer_id', 'turn'])
      .executeTakeFirst(),
  )
  if (!asking) return undefined
  const standing = await stripe.look(asking.customer_id)
  await database.system(async (tx) => {
    await also(tx)
    const { numUpdatedRows } = await tx
      .updateTable('stripe_customers')
      .set(standing)
      .where('organisation_id', '=', organisation_id)
      .where('turn', '=', asking.turn)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await followStanding(tx, organisation_id, standing, now())
  })
  return standing
}

async function followStanding(tx: Tx, id: string, { holds_until }: Standing, now: Date) {
  const at = now.toISOString()
  const plan = holds_until !== null && holds_until > at ? 'professional' : 'free'
  const { numUpdatedRows } = await tx
    .updateTable('organisations')
    .set({ plan, updated_at: at })
    .where('id', '=', id)
    .where('plan', '!=', plan)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) noteMove(tx, id)
}

/**
 * An event of Stripe, once: whatever it says, how things stand is asked anew. Throws a 503 Refusal when
 * Stripe does not answer, and Stripe sends the event again.
 */
export async function hearEvent(
  asking: Asking,
  event: { id: string; organisation_id: string | undefined },
): Promise<void> {
  const { id, organisation_id = '' } = event
  const { database, now } = asking
  const note = (tx: Tx) =>
    tx
      .insertInto('stripe_events')
      .values({ id, at: now().toISOString() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  const known = await database.system((tx) =>
    tx.selectFrom('stripe_events').select('id').where('id', '=', id).executeTakeFirst(),
  )
  if (!known && isUuid(organisation_id)) await askStanding(asking, organisation_id, note)
}

/**
 * Asks where an event may have been lost: what was paid for is over, and nothing was heard of it. Ends
 * what deleted organisations still pay for. Who cannot be asked now is asked the next time.
 */
export async function mendStandings(asking: Asking): Promise<void> {
  const { database, stripe, now } = asking
  const at = now().toISOString()
  const rows = await database.system((tx) =>
    tx
      .selectFrom('stripe_customers')
      .leftJoin('organisations', 'organisations.id', 'stripe_customers.organisation_id')
      .select(['organisation_id', 'customer_id', 'organisations.id'])
      .where((row) =>
        row.or([
          row('organisations.id', 'is', null),
          row('current_period_end', '<=', at),
          row('holds_until', '<=', at),
        ]),
      )
      .execute(),
  )
  for (const { organisation_id, customer_id, id } of rows)
    try {
      if (id !== null) await askStanding(asking, organisation_id)
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
      log('error', 'standing not mended', { organisation_id, ...errorFields(error) })
    }
}
