// Row types of the tables about proof of identity, for Kysely: sessions, attempts, links and limits.
import type { Generated } from 'kysely'

interface TokenFamilies {
  id: string
  user_id: string
  generation: Generated<number>
  confirmed_at: string
  last_used_at: string
  created_at: string
  revoked_at: string | null
  authenticated_at: string | null
  user_agent: string | null
  network: string | null
  lost_at: string | null
  cleared_at: string | null
  unsent: number | null
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
  /** A network, or a device that was signed in before. */
  address: string
  attempted_at: string
  failed: Generated<boolean>
}

interface PasswordResets {
  token_hash: Uint8Array
  user_id: string | null
  expires_at: string
  restored_email: string | null
}

interface EmailChanges {
  user_id: string
  email: string
  token_hash: Uint8Array
  expires_at: string
}

interface RateLimitHits {
  id: string
  subject_hash: Uint8Array
  hit_at: string
}

interface UsedIdTokens {
  token_hash: Uint8Array
  expires_at: string
}

interface SetupLinks {
  token_hash: Uint8Array
  expires_at: string
}

interface Passkeys {
  id: string
  user_id: string
  credential_id: string
  public_key: Uint8Array
  counter: number
  transports: string
  name: string
  created_at: string
  last_used_at: string | null
}

interface UnpublishedUsers {
  user_id: string
  change_id: string
}

/** Tables for sessions, attempts to sign in, mailed links and limits. */
export interface IdentityTables {
  token_families: TokenFamilies
  refresh_tokens: RefreshTokens
  access_tokens: AccessTokens
  sign_in_attempts: SignInAttempts
  password_resets: PasswordResets
  email_changes: EmailChanges
  rate_limit_hits: RateLimitHits
  used_id_tokens: UsedIdTokens
  setup_links: SetupLinks
  passkeys: Passkeys
  unpublished_users: UnpublishedUsers
}
