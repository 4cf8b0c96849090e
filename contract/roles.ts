// Who may, and how much: used to offer and to refuse.
import type { Organisation } from './schemas/organisations.ts'
import type { User } from './schemas/people.ts'

/** Owner of the active organisation, or a superadmin (specification, section 6). */
export const isOwner = (
  user: Pick<User, 'id' | 'superadmin'>,
  organisation: Pick<Organisation, 'user_id'>,
): boolean => user.superadmin || organisation.user_id === user.id

/** Owner, admin or superadmin: may delete others' records and manage members. */
export const canManage = (
  user: Pick<User, 'id' | 'superadmin'>,
  organisation: Pick<Organisation, 'user_id' | 'pivot'>,
): boolean => isOwner(user, organisation) || organisation.pivot.role === 'admin'

/** What the free plan allows; null is without a limit. */
const FREE_LIMITS = {
  members: 3,
  active_success_plans: 10,
  accounts: 25,
  templates: 3,
} as const
export type LimitedResource = keyof typeof FREE_LIMITS

/** What an organisation's plan allows; null is without a limit. Unknown plans have none. */
export const limitsOf = (plan: string): Readonly<Record<LimitedResource, number | null>> =>
  plan === 'free'
    ? FREE_LIMITS
    : { members: null, active_success_plans: null, accounts: null, templates: null }
