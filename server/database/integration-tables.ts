// Row types of the tables in migrations/005-outside.sql and 006-push.sql, for Kysely; later ones have changed some.
import type { Generated, JSONColumnType } from 'kysely'
import type { PushMessage } from '../../contract/schemas/push.ts'

interface Mails {
  id: string
  ciphertext: Uint8Array
  request_id: string | null
  /** The organisation that sends it; null for a mail of an account. */
  sent_by: string | null
  attempts: Generated<number>
  next_attempt_at: string
  expires_at: string
}

interface Digests {
  user_id: string
  day: string
  sent_at: string
}

interface Assignments {
  organisation_id: string
  record_id: string
  user_id: string
  assigned_by: string
  assigned_at: string
}

interface SocialSignIns {
  provider: 'google' | 'oidc'
  subject: string
  user_id: string
  id: Generated<string>
  email: string | null
  created_at: string | null
}

interface VerifiedAddresses {
  user_id: string
  email: string
}

interface StripeCustomers {
  organisation_id: string
  customer_id: string
  status: Generated<'none' | 'trialing' | 'active' | 'past_due' | 'cancelled'>
  current_period_end: string | null
  ends_at: string | null
  entitled_until: string | null
  request_seq: Generated<number>
  /** Of the last request whose result is stored. */
  stored_seq: Generated<number>
  /** When its owner was last sent to pay; null: never, or before this column. */
  checkout_at: string | null
}

interface StripeEvents {
  id: string
  received_at: string
}

interface PushSubscriptions {
  id: string
  user_id: string
  /** The session that subscribed; null for a subscription that is older than this column. */
  family_id: string | null
  endpoint: string
  p256dh: string
  auth: string
  created_at: string
}

interface Pushes {
  organisation_id: string
  id: string
  update_id: string | null
  subscription_id: string | null
  message: JSONColumnType<PushMessage> | null
  attempts: Generated<number>
  next_attempt_at: string
  expires_at: string
}

interface SentReminders {
  organisation_id: string
  user_id: string
  action_id: string
  kind: 'action_due' | 'action_overdue'
  due_date: string
  sent_at: string
}

/** Tables for mail, push, sign-in by others and payment. */
export interface IntegrationTables {
  mails: Mails
  push_subscriptions: PushSubscriptions
  pushes: Pushes
  sent_reminders: SentReminders
  digests: Digests
  assignments: Assignments
  social_sign_ins: SocialSignIns
  verified_addresses: VerifiedAddresses
  stripe_customers: StripeCustomers
  stripe_events: StripeEvents
}
