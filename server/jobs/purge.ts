// Deletes rows that are no longer needed.
import { sql, type RawBuilder } from 'kysely'
import { KEY_LIFETIME_SECONDS } from '../../contract/capabilities.ts'
import { TOKEN_LIFETIMES } from '../auth/tokens.ts'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { expireSubscriptions } from '../domain/subscriptions.ts'
import { OPEN_ACTION_STATUSES } from './digest-sections.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Sign-in attempts: longer than the 15 minutes that login-throttle.ts counts. */
const ATTEMPT_HOURS = 1
/** The longest window of a budget. */
const BUDGET_HOURS = 24
/** Sent digests, reminders and assignments: older ones are no longer used, except reminders of open actions. */
const SENT_DAYS = 30
/** After they were accepted, or have expired: they hold addresses. */
const INVITE_DAYS = 30
/** Signatures are valid for five minutes, and Stripe retries for three days. */
const EVENT_DAYS = 30

/** Rows of one transaction: what it writes for them must leave a nearly full disk its room. */
const BATCH_ROWS = 100

/** As long as the action is open with the same due date, its row prevents a second reminder. */
const PREVENTS_REMINDER = sql<boolean>`exists (
  select from actions
  where actions.organisation_id = sent_reminders.organisation_id
    and actions.id = sent_reminders.action_id
    and actions.due_date = sent_reminders.due_date
    and actions.status in (${sql.join(OPEN_ACTION_STATUSES)})
)`

/**
 * Deletes expired rows: idempotency keys, tokens, sign-in attempts, links, invitations, events, sent news; and ends
 * subscriptions. The rows also while the disk is too full for other writes: it makes room for sessions.
 */
export async function purgeExpired(
  database: Database,
  now: Date,
  { usesStripe = false } = {},
): Promise<void> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString()
  const before = (column: string, milliseconds: number) =>
    sql<boolean>`${sql.ref(column)} < ${ago(milliseconds)}`
  const invites = INVITE_DAYS * DAY_MS
  // A lost device may come online much later.
  const idle = sql`${before('last_used_at', TOKEN_LIFETIMES.idleDays * DAY_MS)} and lost_at is null`
  const expired: [keyof Tables, RawBuilder<unknown>][] = [
    ['idempotency_keys', before('created_at', KEY_LIFETIME_SECONDS * 1_000)],
    ['access_tokens', before('expires_at', 0)],
    [
      'token_families',
      sql`${before('created_at', TOKEN_LIFETIMES.totalDays * DAY_MS)} or (${idle})`,
    ],
    ['sign_in_attempts', before('attempted_at', ATTEMPT_HOURS * HOUR_MS)],
    ['rate_limit_hits', before('hit_at', BUDGET_HOURS * HOUR_MS)],
    ['password_resets', before('expires_at', 0)],
    ['email_changes', before('expires_at', 0)],
    ['used_id_tokens', before('expires_at', 0)],
    ['setup_links', before('expires_at', 0)],
    [
      'organisation_invites',
      sql`${before('accepted_at', invites)}
        or (accepted_at is null and ${before('expires_at', invites)})`,
    ],
    ['stripe_events', before('received_at', EVENT_DAYS * DAY_MS)],
    ['digests', before('sent_at', SENT_DAYS * DAY_MS)],
    ['sent_reminders', sql`${before('sent_at', SENT_DAYS * DAY_MS)} and not ${PREVENTS_REMINDER}`],
    ['assignments', before('assigned_at', SENT_DAYS * DAY_MS)],
  ]
  for (const [table, condition] of expired) await deleteRows(database, sql.table(table), condition)
  await database.system((tx) => expireSubscriptions(tx, { now: ago(0), usesStripe }))
}

async function deleteRows(
  database: Database,
  table: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const batch = sql`select ctid from ${table} where ${condition} limit ${sql.lit(BATCH_ROWS)}`
  const remove = sql`delete from ${table} where ctid = any (array(${batch}))`
  for (let deleted = BATCH_ROWS; deleted === BATCH_ROWS;) {
    const { numAffectedRows } = await database.system((tx) => remove.execute(tx), 'purge')
    deleted = Number(numAffectedRows)
  }
}
