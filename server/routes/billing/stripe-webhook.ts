// The webhook for events of Stripe. It is not in the endpoint table, because the app never calls it.
import type { Context } from 'hono'
import { badRequest, notFound } from '../../errors/http-error.ts'
import { limitNetwork, networkFrom } from '../../http/authenticate.ts'
import { readBytes } from '../../http/request-body.ts'
import type { Services } from '../../http/services.ts'
import { handleStripeEvent } from '../../domain/billing-state.ts'

/** Ten times the largest events of subscriptions. */
const MAX_EVENT_BYTES = 256 * 1024

/** The URL path to configure at Stripe. */
export const STRIPE_WEBHOOK_PATH = '/api/v1/webhooks/stripe'

/**
 * `POST /api/v1/webhooks/stripe`: 200 once the event has been handled. Throws an HttpError: 400 without a valid
 * signature, which is over the exact bytes of the body; 404 when Stripe is not configured; 413, 429; 503 when it does
 * not respond. Stripe repeats an event that is not answered by 200.
 */
export async function receiveStripeEvent(services: Services, context: Context): Promise<Response> {
  const { stripe, database, now } = services
  if (!stripe) throw notFound()
  limitNetwork(services, networkFrom(services, context))
  const bytes = await readBytes(context, MAX_EVENT_BYTES)
  const event = stripe.readEvent(bytes, context.req.header('Stripe-Signature') ?? '', now())
  if (!event) throw badRequest('This is not signed by Stripe.')
  await handleStripeEvent({ stripe, database, now }, event)
  return context.json({ received: true })
}
