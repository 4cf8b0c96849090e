// What an organisation pays for.
import * as v from 'valibot'
import { ReadInstant, maybe, oneOf } from './fields.ts'

/** By what is limited; null is without a limit. */
const perLimit = <S extends v.GenericSchema<unknown, number | null>>(amount: S) =>
  v.object(v.entriesFromList(['members', 'active_success_plans', 'accounts', 'templates'], amount))

/** `plan` is what holds now; cancelled, it holds until `ends_at`. Null if the server does not say. */
export const Subscription = v.object({
  plan: maybe(v.string()),
  status: v.optional(v.string(), 'none'),
  current_period_end: maybe(ReadInstant),
  ends_at: maybe(ReadInstant),
  seats: v.optional(v.number(), 1),
  limits: v.optional(perLimit(v.nullish(v.number(), null)), {}),
  usage: v.optional(perLimit(v.nullish(v.number(), null)), {}),
})
export type Subscription = v.InferOutput<typeof Subscription>

export const SubscriptionDraft = v.object({ plan: oneOf(['professional']) })

/** `url` is the checkout page; missing if no payment is needed. */
export const SubscriptionStart = v.object({ data: Subscription, url: v.optional(v.string()) })

/** URL of the payment provider's customer portal. */
export const CustomerPortal = v.object({ url: v.string() })
