// Notifications on a device: where they are sent, and what they say.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import { Id, ReadInstant } from './fields.ts'

const base64url = (bytes: number) =>
  v.pipe(
    v.string(messages.subscriptionKey),
    v.regex(
      new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`),
      messages.base64Bytes(bytes),
    ),
  )

const EndpointUrl = v.pipe(
  v.string(messages.subscriptionAddress),
  v.maxLength(2_048, messages.maxCharacters(2_048)),
  v.regex(/^https?:\/\/[^/\s]\S*$/, messages.subscriptionAddress),
)

/** A browser's subscription, as `PushSubscription.toJSON()` gives it. */
export const PushSubscriptionDraft = v.object({
  endpoint: EndpointUrl,
  keys: v.object({ p256dh: base64url(65), auth: base64url(16) }),
})

/** Which of one's subscriptions is over. */
export const PushSubscriptionRemoval = v.object({ endpoint: EndpointUrl })

export const StoredPushSubscription = v.object({
  id: Id,
  endpoint: v.string(),
  created_at: ReadInstant,
})

/** What the worker shows; encrypted for one browser on its way. */
export const PushMessage = v.object({
  /** For whom: another one who is signed in there by now does not see it. */
  user_id: v.string(),
  organisation_id: v.string(),
  title: v.string(),
  body: v.string(),
  /** Where it leads: a path of the app. */
  path: v.pipe(v.string(), v.regex(/^\/(?!\/)/)),
  /** A later message with the same tag takes the place of the earlier one. */
  tag: v.string(),
})
export type PushMessage = v.InferOutput<typeof PushMessage>
