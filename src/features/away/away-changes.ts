// What others did during the user's absence. Pure.
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import type { Absence } from './away.ts'

/** Updates are searched in at most this many plans, the most recently changed. */
const MAX_PLANS = 200

/** Plans that changed during the absence, the latest first. Their updates tell who changed them. */
export const touchedPlans = (plans: readonly SuccessPlan[], away: Absence): SuccessPlan[] =>
  plans
    .filter((plan) => plan.version > away.from)
    .toSorted((a, b) => b.version - a.version)
    .slice(0, MAX_PLANS)

/** What others did to one plan during the absence. */
export interface AwayChange {
  plan_id: string
  title: string
  /** The latest version included. */
  version: number
  /** Author ids, each once, the latest first; null for unknown authors. */
  authors: (string | null)[]
  updates: number
  /** Text of the latest update that has one; empty if only fields were set. */
  body: string
  status: { from: string | null; to: string } | undefined
  progress: { from: number | null; to: number } | undefined
  health: string | undefined
}

/**
 * What others posted on a plan that the user follows (owns, or has posted on). Undefined if no one else
 * posted during the absence.
 */
export function changesSince(
  plan: SuccessPlan,
  updates: readonly SuccessPlanUpdate[],
  user_id: string,
  away: Pick<Absence, 'from' | 'to'>,
): AwayChange | undefined {
  if (plan.owner_id !== user_id && !updates.some((one) => one.user_id === user_id)) return undefined
  const posted = updates
    .filter((one) => one.version > away.from && one.version <= away.to && one.user_id !== user_id)
    .toSorted((a, b) => b.version - a.version)
  const [latest] = posted
  if (!latest) return undefined
  const progressChanges = posted.filter(({ progress_to }) => progress_to !== null)
  const statusChanges = posted.filter(({ status_to }) => status_to !== null)
  const progress = progressChanges[0]?.progress_to
  const status = statusChanges[0]?.status_to
  return {
    plan_id: plan.id,
    title: plan.title,
    version: latest.version,
    authors: [...new Set(posted.map((one) => one.user_id))],
    updates: posted.length,
    body: posted.find(({ body }) => body !== '')?.body ?? '',
    status:
      status == null ? undefined : { from: statusChanges.at(-1)?.status_from ?? null, to: status },
    progress:
      progress == null
        ? undefined
        : { from: progressChanges.at(-1)?.progress_from ?? null, to: progress },
    health: posted.find(({ health }) => health !== null)?.health ?? undefined,
  }
}

/** Leaves out the plans opened since then. */
export const unread = (changes: readonly AwayChange[], away: Absence): AwayChange[] =>
  changes.filter(({ plan_id, version }) => version > (away.read[plan_id] ?? 0))
