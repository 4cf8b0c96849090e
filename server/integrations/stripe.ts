// Payment by Stripe. After each event the current state is fetched from Stripe and never taken from the event:
// events arrive late, twice and in any order.
import { Stripe } from 'stripe'
import { log } from '../log.ts'
import { unavailable } from '../errors/http-error.ts'
import { sha256 } from '../hash.ts'
import type { StripeConfiguration } from '../configuration/integrations.ts'

/** State of an organisation's subscription; instants as ISO 8601. */
export interface BillingState {
  status: 'none' | 'trialing' | 'active' | 'past_due' | 'cancelled'
  current_period_end: string | null
  ends_at: string | null
  /** End of the entitlement if nothing more is heard from Stripe; null without one. */
  entitled_until: string | null
}

/**
 * How long the entitlement lasts while Stripe retries a payment, or after the period when no event
 * arrives.
 */
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
  const cancelledAt = cancellationTimeOf(subscription, end)
  const status = subscription.status as 'trialing' | 'active' | 'past_due'
  if (status === 'past_due')
    return {
      status,
      current_period_end,
      ends_at: null,
      entitled_until: toInstant(paid, GRACE_PERIOD_MS),
    }
  if (cancelledAt !== null) {
    const ends_at = toInstant(cancelledAt)
    return { status: 'cancelled', current_period_end, ends_at, entitled_until: ends_at }
  }
  const entitled_until = toInstant(end, GRACE_PERIOD_MS)
  return { status, current_period_end, ends_at: null, entitled_until }
}

const NO_SUBSCRIPTION = {
  status: 'none',
  current_period_end: null,
  ends_at: null,
  entitled_until: null,
} as const

/** The calls to Stripe that the server makes. */
export type StripeClient = ReturnType<typeof createStripe>

/** All calls throw a 503 HttpError when Stripe does not respond or responds with an error. */
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
    /**
     * Creates the customer for an organisation and returns its id. Idempotent while the organisation lives: one that
     * is made under the id of a deleted one has another `first_version`.
     */
    createCustomer: (about: {
      organisation_id: string
      first_version: number
      name: string
      email: string
    }) =>
      callStripe(async () => {
        const { organisation_id, first_version, name, email } = about
        const key = [organisation_id, first_version, name, email].join('\n')
        const { id } = await stripe.customers.create(
          { name, email, metadata: { organisation_id } },
          { idempotencyKey: sha256(key).toString('hex') },
        )
        return id
      }),

    /** URL of the page to pay on. An open checkout session is reused. */
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

    /** URL of the customer portal with invoices and cards. */
    portal: (customer: string, returnUrl: string) =>
      callStripe(async () => {
        const session = await stripe.billingPortal.sessions.create({
          customer,
          return_url: returnUrl,
        })
        return requireHttps(session.url)
      }),

    /** The state of the customer; of several subscriptions, the one with the longest entitlement. */
    fetchBillingState: (customer: string): Promise<BillingState> =>
      callStripe(async () => {
        const states = (await listLive(customer)).map(billingStateOf)
        const entitlementEnd = ({ entitled_until }: BillingState) => entitled_until ?? ''
        const [best] = states.toSorted((a, b) => (entitlementEnd(a) > entitlementEnd(b) ? -1 : 1))
        return best ?? NO_SUBSCRIPTION
      }),

    /** Cancels all subscriptions of the customer at the end of the paid period, or undoes that. */
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

    /** Cancels all subscriptions of the customer immediately. */
    cancel: (customer: string) =>
      callStripe(async () => {
        for (const { id } of await listLive(customer)) await stripe.subscriptions.cancel(id)
      }),

    /**
     * Parses an event that was signed within five minutes of `now`; undefined when the signature is not
     * valid.
     */
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
        const object = data.object as { metadata?: Record<string, string> | null }
        return { id, organisation_id: object.metadata?.['organisation_id'] }
      } catch {
        return undefined
      }
    },
  }
}

/** Runs a call. The message of a Stripe error is not logged, because it may repeat part of the key. */
async function callStripe<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const { type, code, statusCode, requestId } = error
    log('error', 'stripe call failed', { type, code, statusCode, stripe_request_id: requestId })
    throw unavailable('The payment provider is not responding. Please try again.')
  }
}

/** Only https: a `javascript:` URL must never reach the app. */
function requireHttps(url: string | null): string {
  if (!url?.startsWith('https://')) throw unavailable('The payment provider did not return a page.')
  return url
}
