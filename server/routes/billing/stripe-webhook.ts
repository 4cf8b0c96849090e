// What others tell the server by themselves. No row of the table: the app never calls it.
import type { Context } from 'hono'
import { badRequest, notFound } from '../../errors/http-error.ts'
import { readBytes } from '../../http/request-body.ts'
import type { Services } from '../../http/services.ts'
import { handleStripeEvent } from '../../domain/billing-state.ts'

/** Where Stripe sends its events. */
export const STRIPE_WEBHOOK_PATH = '/api/v1/webhooks/stripe'

/** An event of Stripe: anything but a signed one is 400. The signature is over the very bytes. */
export async function receiveStripeEvent(services: Services, context: Context): Promise<Response> {
  const { stripe, database, now } = services
  if (!stripe) throw notFound()
  const bytes = await readBytes(context.req.raw)
  const event = stripe.readEvent(bytes, context.req.header('Stripe-Signature') ?? '', now())
  if (!event) throw badRequest('This is not signed by Stripe.')
  await handleStripeEvent({ stripe, database, now }, event)
  return context.json({ received: true })
}
