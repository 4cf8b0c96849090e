// Payment by Stripe. What Stripe says is fetched anew each time something happened, never taken from the
// message about it: messages come late, twice and in any order.
import { Stripe } from 'stripe'
import { log } from '../log.ts'
import { unavailable } from '../errors/http-error.ts'
import { sha256 } from '../auth/tokens.ts'
import type { StripeConfiguration } from '../configuration/integrations.ts'

/** What an organisation's subscription amounts to; instants as ISO 8601. */
export interface BillingState {
  status: 'none' | 'trialing' | 'active' | 'past_due' | 'cancelled'
  current_period_end: string | null
  ends_at: string | null
  /** Until when the plan holds, should Stripe say nothing more; null where it does not hold. */
  holds_until: string | null
}

/** For how long the plan goes on while a payment is being tried again, or Stripe is silent. */
const GRACE_PERIOD_MS = 7 * 86_400_000
const REQUEST_TIMEOUT_MS = 10_000
const LIVE_STATUSES = ['trialing', 'active', 'past_due']

const toInstant = (seconds: number, extraMs = 0) => new Date(seconds * 1000 + extraMs).toISOString()
const cancellationTimeOf = (
  { cancel_at, cancel_at_period_end }: Stripe.Subscription,
  end: number,
) => cancel_at ?? (cancel_at_period_end ? end : null)

function billingStateOf(subscription: Stripe.Subscription): BillingState {
  const periods = subscription.items.data
  const end = Math.max(...periods.map((item) => item.current_period_end))
  const paid = Math.min(...periods.map((item) => item.current_period_start))
  const current_period_end = toInstant(end)
  const ending = cancellationTimeOf(subscription, end)
  const status = subscription.status as 'trialing' | 'active' | 'past_due'
  if (status === 'past_due')
    return {
      status,
      current_period_end,
      ends_at: null,
      holds_until: toInstant(paid, GRACE_PERIOD_MS),
    }
  if (ending !== null) {
    const ends_at = toInstant(ending)
    return { status: 'cancelled', current_period_end, ends_at, holds_until: ends_at }
  }
  const holds_until = toInstant(end, GRACE_PERIOD_MS)
  return { status, current_period_end, ends_at: null, holds_until }
}

const NO_SUBSCRIPTION = {
  status: 'none',
  current_period_end: null,
  ends_at: null,
  holds_until: null,
} as const

export type StripeClient = ReturnType<typeof createStripe>

/** Each throws a 503 Refusal when Stripe does not answer, or not as it should. */
export function createStripe({ secretKey, webhookSecret, price, url }: StripeConfiguration) {
  const { hostname, port, protocol } = new URL(url)
  const stripe = new Stripe(secretKey, {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port && { port }),
    timeout: REQUEST_TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  })

  const listLive = async (customer: string) => {
    const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
    return data.filter(({ status }) => LIVE_STATUSES.includes(status))
  }

  return {
    /** Makes the customer that an organisation is; asked twice, it is the same one. */
    createCustomer: (about: { organisation_id: string; name: string; email: string }) =>
      callStripe(async () => {
        const { organisation_id, name, email } = about
        const { id } = await stripe.customers.create(
          { name, email, metadata: { organisation_id } },
          { idempotencyKey: sha256([organisation_id, name, email].join('\n')).toString('hex') },
        )
        return id
      }),

    /** Where to pay for the plan. Asked again before it is paid, it is the same page. */
    checkout: (customer: string, organisation_id: string, returnUrl: string) =>
      callStripe(async () => {
        const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 1 })
        const metadata = { organisation_id }
        const session =
          data[0] ??
          (await stripe.checkout.sessions.create({
            mode: 'subscription',
            customer,
            line_items: [{ price, quantity: 1 }],
            success_url: returnUrl,
            cancel_url: returnUrl,
            metadata,
            subscription_data: { metadata },
          }))
        return requireHttps(session.url)
      }),

    /** Where the customer sees invoices and cards. */
    portal: (customer: string, returnUrl: string) =>
      callStripe(async () => {
        const session = await stripe.billingPortal.sessions.create({
          customer,
          return_url: returnUrl,
        })
        return requireHttps(session.url)
      }),

    /** What the customer has: of several subscriptions, the one that holds longest. */
    fetchBillingState: (customer: string): Promise<BillingState> =>
      callStripe(async () => {
        const states = (await listLive(customer)).map(billingStateOf)
        const holdsUntil = ({ holds_until }: BillingState) => holds_until ?? ''
        const [best] = states.toSorted((a, b) => (holdsUntil(a) > holdsUntil(b) ? -1 : 1))
        return best ?? NO_SUBSCRIPTION
      }),

    /** Lets all that the customer has end with what is paid for, or go on after all. */
    setCancelAtPeriodEnd: (customer: string, cancelAtPeriodEnd: boolean) =>
      callStripe(async () => {
        for (const { id, cancel_at, cancel_at_period_end } of await listLive(customer)) {
          const ends = cancel_at !== null || cancel_at_period_end
          if (ends === cancelAtPeriodEnd) continue
          const isByDate = !cancelAtPeriodEnd && !cancel_at_period_end
          await stripe.subscriptions.update(
            id,
            isByDate ? { cancel_at: '' } : { cancel_at_period_end: cancelAtPeriodEnd },
          )
        }
      }),

    /** Ends all that the customer has, now. */
    cancel: (customer: string) =>
      callStripe(async () => {
        for (const { id } of await listLive(customer)) await stripe.subscriptions.cancel(id)
      }),

    /** An event that Stripe has signed within five minutes of `now`; undefined otherwise. */
    readEvent(bytes: Uint8Array, signature: string, now: Date) {
      try {
        const { id, data } = stripe.webhooks.constructEvent(
          bytes,
          signature,
          webhookSecret,
          undefined,
          undefined,
          now.getTime(),
        )
        const about = data.object as { metadata?: Record<string, string> | null }
        return { id, organisation_id: about.metadata?.['organisation_id'] }
      } catch {
        return undefined
      }
    },
  }
}

/** Asks Stripe. Its words are not logged: they may repeat a part of the key. */
async function callStripe<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const { type, code, statusCode, requestId } = error
    log('error', 'stripe refused', { type, code, statusCode, stripe_request_id: requestId })
    throw unavailable('The payment provider does not answer. Please try again.')
  }
}

/** A page of the payment provider; never anything that could run. */
function requireHttps(url: string | null): string {
  if (!url?.startsWith('https://')) throw unavailable('The payment provider has no such page.')
  return url
}
