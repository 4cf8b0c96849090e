// Row types of the tables in migrations/, for Kysely. Instants and dates are ISO 8601 strings, int8 is a number.
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { IdentityTables } from './identity-tables.ts'
import type { IntegrationTables } from './integration-tables.ts'

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

interface OrganisationUsers {
  organisation_id: string
  id: string
  user_id: string
  role: 'admin' | 'member'
  version: number
  created_at: string
}

interface StoredContact {
  id: string
  name: string
  email: string | null
  title: string | null
  role: string | null
  is_primary: boolean
}

interface Accounts {
  organisation_id: string
  id: string
  name: string
  website: string | null
  industry: string | null
  tier: string | null
  status: string
  health: string | null
  arr: number | null
  currency: string
  renewal_date: string | null
  owner_id: string | null
  contacts: JSONColumnType<StoredContact[]>
  notes: string | null
  tags: JSONColumnType<string[]>
  version: number
  created_by: ColumnType<string, string, never>
  created_at: ColumnType<string, string, never>
  updated_at: string
}

interface SuccessPlans {
  organisation_id: string
  id: string
  title: string
  type: string
  status: string
  health: string | null
  progress: Generated<number>
  progress_mode: Generated<string>
  description: string | null
  success_criteria: string | null
  start_date: string | null
  end_date: string | null
  account_id: string | null
  owner_id: string
  outcome: string | null
  close_note: string | null
  update_cadence_days: number | null
  template_id: string | null
  last_update_at: string | null
  actions_count: Generated<number>
  actions_done_count: Generated<number>
  version: number
  created_by: ColumnType<string, string, never>
  created_at: ColumnType<string, string, never>
  updated_at: string
}

interface SuccessPlanUpdates {
  organisation_id: string
  id: string
  success_plan_id: string
  user_id: string
  body: string
  health: string | null
  progress_from: number | null
  progress_to: number | null
  status_from: string | null
  status_to: string | null
  written_at: string
  created_at: string
  version: number
}

interface Initiatives {
  organisation_id: string
  id: string
  success_plan_id: string | null
  account_id: string | null
  title: string
  description: string | null
  status: string
  health: string | null
  owner_id: string | null
  start_date: string | null
  end_date: string | null
  progress: Generated<number>
  position: number
  version: number
  created_by: ColumnType<string, string, never>
  created_at: ColumnType<string, string, never>
  updated_at: string
}

interface Actions {
  organisation_id: string
  id: string
  success_plan_id: string | null
  initiative_id: string | null
  account_id: string | null
  title: string
  description: string | null
  status: string
  priority: string | null
  due_date: string | null
  assignee_id: string | null
  assignee_contact: JSONColumnType<{ name: string; email: string | null }> | null
  completed_at: string | null
  position: number
  version: number
  created_by: ColumnType<string, string, never>
  created_at: ColumnType<string, string, never>
  updated_at: string
}

/** An initiative in the JSON of a template; offsets in days from the plan's start. */
export interface StoredInitiative {
  title: string
  description: string | null
  start_offset_days: number
  end_offset_days: number
  actions: {
    title: string
    description: string | null
    due_offset_days: number
    assignee_role: string | null
  }[]
}

interface Templates {
  organisation_id: string
  id: string
  title: string
  description: string | null
  type: string | null
  duration_days: number
  update_cadence_days: number | null
  initiatives: JSONColumnType<StoredInitiative[]>
  version: number
  created_by: ColumnType<string, string, never>
  created_at: ColumnType<string, string, never>
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
export interface Tables extends IdentityTables, IntegrationTables {
  users: Users
  organisations: Organisations
  organisation_users: OrganisationUsers
  accounts: Accounts
  success_plans: SuccessPlans
  success_plan_updates: SuccessPlanUpdates
  initiatives: Initiatives
  actions: Actions
  templates: Templates
  tombstones: Tombstones
  idempotency_keys: IdempotencyKeys
  organisation_invites: OrganisationInvites
  notification_consents: NotificationConsents
  onboardings: Onboardings
  subscriptions: Subscriptions
}
