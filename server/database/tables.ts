// Row types of the tables in migrations/, for Kysely; those of records follow from the contract. Instants
// and dates are ISO 8601 strings, int8 is a number.
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { IntegrationTables } from './integration-tables.ts'
import type { RecordTables } from './record-columns.ts'

interface Users {
  id: string
  email: string
  password_hash: string | null
  name: string
  job_title: string | null
  phone: string | null
  timezone: string
  avatar_url: string | null
  superadmin: Generated<boolean>
  created_at: string
  updated_at: string
}

interface TokenFamilies {
  id: string
  user_id: string
  generation: Generated<number>
  confirmed_at: string
  last_used_at: string
  created_at: string
  revoked_at: string | null
}

interface RefreshTokens {
  hash: Uint8Array
  family_id: string
  generation: number
}

interface AccessTokens extends RefreshTokens {
  expires_at: string
}

interface SignInAttempts {
  id: string
  account_hash: Uint8Array
  address: string
  attempted_at: string
}

interface Organisations {
  id: string
  name: string
  user_id: string
  website: string | null
  timezone: string
  currency: string
  plan: string
  version: number
  first_version: number
  created_at: string
  updated_at: string
}

interface Tombstones {
  organisation_id: string
  type: string
  id: string
  version: number
}

interface OrganisationInvites {
  organisation_id: string
  id: string
  email: string
  role: 'admin' | 'member'
  token_hash: Uint8Array
  invited_by: string
  accepted_at: string | null
  expires_at: string
  created_at: string
}

interface PasswordResets {
  token_hash: Uint8Array
  user_id: string
  expires_at: string
}

interface NotificationConsents {
  user_id: string
  email: JSONColumnType<Record<string, boolean>>
  push: ColumnType<Record<string, boolean>, string | undefined, string>
  digest: string
  due_lead_days: number
}

interface Onboardings {
  user_id: string
  status: string
  steps: JSONColumnType<Record<string, boolean>>
}

interface Subscriptions {
  organisation_id: string
  started_at: string
  ends_at: string | null
}

interface IdempotencyKeys {
  user_id: string
  organisation_id: string
  key: string
  request_hash: Uint8Array
  status: number
  body: string
  etag: string | null
  created_at: string
}

/** All tables by name. */
export interface Tables extends RecordTables, IntegrationTables {
  users: Users
  token_families: TokenFamilies
  refresh_tokens: RefreshTokens
  access_tokens: AccessTokens
  sign_in_attempts: SignInAttempts
  organisations: Organisations
  tombstones: Tombstones
  idempotency_keys: IdempotencyKeys
  organisation_invites: OrganisationInvites
  password_resets: PasswordResets
  notification_consents: NotificationConsents
  onboardings: Onboardings
  subscriptions: Subscriptions
}
