// Web Push: subscriptions and messages.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import { Id, ReadInstant } from './fields.ts'

const base64url = (bytes: number) =>
  v.pipe(
    v.string(messages.subscription),
    v.regex(
      new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`),
      messages.base64Bytes(bytes),
    ),
  )

const EndpointUrl = v.pipe(
  v.string(messages.subscription),
  v.maxLength(2_048, messages.maxCharacters(2_048)),
  v.regex(/^https?:\/\/[!-.0-~][!-~]*$/, messages.subscription),
)

/** A browser's subscription, as `PushSubscription.toJSON()` returns it. */
export const PushSubscriptionDraft = v.object({
  endpoint: EndpointUrl,
  keys: v.object({ p256dh: base64url(65), auth: base64url(16) }),
})

/** Names the subscription to remove. */
export const PushSubscriptionRemoval = v.object({ endpoint: EndpointUrl })

export const StoredPushSubscription = v.object({
  id: Id,
  endpoint: v.string(),
  created_at: ReadInstant,
})

/** The payload that the service worker shows, encrypted for one browser. */
export const PushMessage = v.object({
  /** The recipient. Not shown if another user is signed in on the device. */
  user_id: v.string(),
  organisation_id: v.string(),
  title: v.string(),
  body: v.string(),
  /** The path of the app that a click opens. */
  path: v.pipe(v.string(), v.regex(/^\/(?!\/)/)),
  /** A later message with the same tag replaces the earlier one. */
  tag: v.string(),
})
export type PushMessage = v.InferOutput<typeof PushMessage>
