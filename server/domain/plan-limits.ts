// Limits of an organisation's plan, and their usage.
import { PLAN_STATUSES } from '../../contract/values.ts'
import { isPlanOpen } from '../../contract/rules.ts'
import { limitsOf, type LimitedResource } from '../../contract/roles.ts'
import type { Tx } from '../database/connection.ts'
import { limitReached } from '../errors/http-error.ts'

const OPEN_STATUSES = PLAN_STATUSES.filter((status) => isPlanOpen({ status }))

const TABLES = {
  members: 'organisation_users',
  active_success_plans: 'success_plans',
  accounts: 'accounts',
  templates: 'templates',
} as const

const LABELS: Record<LimitedResource, string> = {
  members: 'members',
  active_success_plans: 'open success plans',
  accounts: 'accounts',
  templates: 'templates',
}

/** Number of records that count towards the limit. */
export async function countUsage(
  tx: Tx,
  organisation_id: string,
  what: LimitedResource,
): Promise<number> {
  const { count } = await tx
    .selectFrom(TABLES[what] as 'success_plans')
    .where('organisation_id', '=', organisation_id)
    .$if(what === 'active_success_plans', (plans) => plans.where('status', 'in', OPEN_STATUSES))
    .select((rows) => rows.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Throws a 403 HttpError when the limit is reached; `reserved` counts pending ones, such as open invitations.
 * Call it under the lock of `nextVersion`: otherwise two requests could both take the last place.
 */
export async function requireCapacity(
  tx: Tx,
  organisation: { id: string; plan: string },
  what: LimitedResource,
  reserved = 0,
): Promise<void> {
  const limit = limitsOf(organisation.plan)[what]
  if (limit === null) return
  if ((await countUsage(tx, organisation.id, what)) + reserved >= limit)
    throw limitReached(LABELS[what], limit)
}
