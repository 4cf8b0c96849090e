// Deletes rows that are no longer needed.
import { KEY_LIFETIME_SECONDS } from '../../contract/capabilities.ts'
import { TOKEN_LIFETIMES } from '../auth/tokens.ts'
import type { Database } from '../database/database.ts'
import { expireSubscriptions } from '../domain/subscriptions.ts'
import { OPEN_ACTION_STATUSES } from './digest-sections.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A device may repeat an operation for this long (contract, Conventions). */
const ATTEMPT_HOURS = 1
/** The longest window of a budget. */
const BUDGET_HOURS = 24
/** Sent digests, reminders and assignments: older ones are no longer used, except reminders of open actions. */
const SENT_DAYS = 30
/** After they were accepted, or have expired: they hold addresses. */
const INVITE_DAYS = 30
/** Signatures are valid for five minutes, and Stripe retries for three days. */
const EVENT_DAYS = 30

/**
 * Deletes expired rows: idempotency keys, tokens, sign-in attempts, links, invitations, events, sent news; and ends
 * subscriptions.
 */
export async function purgeExpired(
  database: Database,
  now: Date,
  { usesStripe = false } = {},
): Promise<void> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString()
  await database.system(async (tx) => {
    await tx
      .deleteFrom('idempotency_keys')
      .where('created_at', '<', ago(KEY_LIFETIME_SECONDS * 1_000))
      .execute()
    await tx.deleteFrom('access_tokens').where('expires_at', '<', ago(0)).execute()
    await tx
      .deleteFrom('token_families')
      .where((family) =>
        family.or([
          family('created_at', '<', ago(TOKEN_LIFETIMES.totalDays * DAY_MS)),
          // A lost device may come online much later.
          family.and([
            family('last_used_at', '<', ago(TOKEN_LIFETIMES.idleDays * DAY_MS)),
            family('lost_at', 'is', null),
          ]),
        ]),
      )
      .execute()
    await tx
      .deleteFrom('sign_in_attempts')
      .where('attempted_at', '<', ago(ATTEMPT_HOURS * HOUR_MS))
      .execute()
    await tx
      .deleteFrom('rate_limit_hits')
      .where('hit_at', '<', ago(BUDGET_HOURS * HOUR_MS))
      .execute()
    await tx.deleteFrom('password_resets').where('expires_at', '<', ago(0)).execute()
    await tx.deleteFrom('email_changes').where('expires_at', '<', ago(0)).execute()
    await tx.deleteFrom('used_id_tokens').where('expires_at', '<', ago(0)).execute()
    await tx.deleteFrom('setup_links').where('expires_at', '<', ago(0)).execute()
    await tx
      .deleteFrom('organisation_invites')
      .where((row) =>
        row.or([
          row('accepted_at', '<', ago(INVITE_DAYS * DAY_MS)),
          row.and([
            row('accepted_at', 'is', null),
            row('expires_at', '<', ago(INVITE_DAYS * DAY_MS)),
          ]),
        ]),
      )
      .execute()
    await tx
      .deleteFrom('stripe_events')
      .where('received_at', '<', ago(EVENT_DAYS * DAY_MS))
      .execute()
    await tx
      .deleteFrom('digests')
      .where('sent_at', '<', ago(SENT_DAYS * DAY_MS))
      .execute()
    // As long as the action is open with the same due date, its row prevents a second reminder.
    await tx
      .deleteFrom('sent_reminders')
      .where('sent_at', '<', ago(SENT_DAYS * DAY_MS))
      .where((row) =>
        row.not(
          row.exists(
            row
              .selectFrom('actions')
              .select('actions.id')
              .whereRef('actions.organisation_id', '=', 'sent_reminders.organisation_id')
              .whereRef('actions.id', '=', 'sent_reminders.action_id')
              .whereRef('actions.due_date', '=', 'sent_reminders.due_date')
              .where('actions.status', 'in', OPEN_ACTION_STATUSES),
          ),
        ),
      )
      .execute()
    await tx
      .deleteFrom('assignments')
      .where('assigned_at', '<', ago(SENT_DAYS * DAY_MS))
      .execute()
    await expireSubscriptions(tx, { now: ago(0), usesStripe })
  })
}
