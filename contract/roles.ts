// Permissions and plan limits: the app offers what they allow, the server enforces them.
import type { Organisation } from './schemas/organisations.ts'
import type { User } from './schemas/people.ts'

/** Whether the user owns the organisation or is a superadmin (specification, section 6). */
export const isOwner = (
  user: Pick<User, 'id' | 'superadmin'>,
  organisation: Pick<Organisation, 'user_id'>,
): boolean => user.superadmin || organisation.user_id === user.id

/** Whether the user is owner, admin or superadmin: may delete others' records and manage members. */
export const canManage = (
  user: Pick<User, 'id' | 'superadmin'>,
  organisation: Pick<Organisation, 'user_id' | 'pivot'>,
): boolean => isOwner(user, organisation) || organisation.pivot.role === 'admin'

/** Limits of the free plan; null means unlimited. */
const FREE_LIMITS = {
  members: 3,
  active_success_plans: 10,
  accounts: 25,
  templates: 3,
} as const
export type LimitedResource = keyof typeof FREE_LIMITS

/** Limits of an organisation's plan; null means unlimited. Unknown plans are unlimited. */
export const limitsOf = (plan: string): Readonly<Record<LimitedResource, number | null>> =>
  plan === 'free'
    ? FREE_LIMITS
    : { members: null, active_success_plans: null, accounts: null, templates: null }
