// What changed while somebody was not here. Time away is a span of versions: from where the device
// stood when its user was last here, to where it stood after the first whole read since. Pure.
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import { sameDay } from '../../ui/text/dates.ts'

/** Kept on the device for each user and organisation. */
export interface Absence {
  /** Changes after this version, up to and with that one, came while nobody was here. */
  from: number
  to: number
  /** When its user was last here and connected, in epoch milliseconds. */
  at: number
  /** Of plans that were opened since: up to which version. */
  read: Readonly<Record<string, number>>
}

/** Who is away for longer than this has been away. Milliseconds. */
const HOUR_MS = 60 * 60_000

/**
 * What is known after a whole read at the time `at`, which brought the device to `version`. The very
 * first one only says where it begins.
 */
export function recordVisit(
  before: Absence | undefined,
  { version, at }: { version: number; at: number },
): Absence {
  const fresh: Absence = { from: version, to: version, at, read: {} }
  // Versions run backwards when the server's database is another one.
  if (!before || version < before.to) return fresh
  const wasAway = at - before.at > HOUR_MS || !sameDay(at, before.at)
  if (wasAway) return { ...before, to: version, at }
  return hasUnread(before) ? { ...before, at } : fresh
}

/** Whether there may be something to tell. */
export const hasUnread = (away: Pick<Absence, 'from' | 'to'>): boolean => away.from < away.to

/** Nothing is to be told any more. */
export const dismiss = (away: Absence): Absence => ({ ...away, from: away.to, read: {} })

/** A plan was opened. */
export const markPlanRead = (away: Absence, plan_id: string): Absence =>
  away.read[plan_id] === away.to ? away : { ...away, read: { ...away.read, [plan_id]: away.to } }

/** Of so many plans at most the updates are looked through: those that changed last. */
const MAX_PLANS = 200

/** Plans that changed meanwhile, the latest first: in which of them somebody else spoke, updates say. */
export const touchedPlans = (plans: readonly SuccessPlan[], away: Absence): SuccessPlan[] =>
  plans
    .filter((plan) => plan.version > away.from)
    .toSorted((a, b) => b.version - a.version)
    .slice(0, MAX_PLANS)

/** What others did to one plan meanwhile. */
export interface AwayChange {
  plan_id: string
  title: string
  /** Up to which version this tells. */
  version: number
  /** Ids of those who wrote, each once, the latest first; null for who is not known. */
  authors: (string | null)[]
  updates: number
  /** What was said last; empty when only something was set. */
  body: string
  status: { from: string | null; to: string } | undefined
  progress: { from: number | null; to: number } | undefined
  health: string | undefined
}

/**
 * What others said of a plan that the user follows: owns, or has posted in. Undefined when nobody
 * else said anything meanwhile.
 */
export function changesSince(
  plan: SuccessPlan,
  updates: readonly SuccessPlanUpdate[],
  user_id: string,
  away: Pick<Absence, 'from' | 'to'>,
): AwayChange | undefined {
  if (plan.owner_id !== user_id && !updates.some((one) => one.user_id === user_id)) return undefined
  const news = updates
    .filter((one) => one.version > away.from && one.version <= away.to && one.user_id !== user_id)
    .toSorted((a, b) => b.version - a.version)
  const [latest] = news
  if (!latest) return undefined
  const progressed = news.filter(({ progress_to }) => progress_to !== null)
  const moved = news.filter(({ status_to }) => status_to !== null)
  const progress = progressed[0]?.progress_to
  const status = moved[0]?.status_to
  return {
    plan_id: plan.id,
    title: plan.title,
    version: latest.version,
    authors: [...new Set(news.map((one) => one.user_id))],
    updates: news.length,
    body: news.find(({ body }) => body !== '')?.body ?? '',
    status: status == null ? undefined : { from: moved.at(-1)?.status_from ?? null, to: status },
    progress:
      progress == null
        ? undefined
        : { from: progressed.at(-1)?.progress_from ?? null, to: progress },
    health: news.find(({ health }) => health !== null)?.health ?? undefined,
  }
}

/** Without the plans that were opened since. */
export const unread = (changes: readonly AwayChange[], away: Absence): AwayChange[] =>
  changes.filter(({ plan_id, version }) => version > (away.read[plan_id] ?? 0))
