// Row types of the tables in migrations/, for Kysely; those of records follow from the contract. Instants
// and dates are ISO 8601 strings, int8 is a number.
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { IdentityTables } from './identity-tables.ts'
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

interface SavedViews {
  organisation_id: string
  user_id: string
  id: string
  name: string
  search: string
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
export interface Tables extends RecordTables, IdentityTables, IntegrationTables {
  users: Users
  organisations: Organisations
  tombstones: Tombstones
  idempotency_keys: IdempotencyKeys
  organisation_invites: OrganisationInvites
  notification_consents: NotificationConsents
  onboardings: Onboardings
  saved_views: SavedViews
  subscriptions: Subscriptions
}
